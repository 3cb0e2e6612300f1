"""Agreement of clusters with classes: `tamis select` and `tamis cluster`, over several seeds."""

TABLES = ("PCMAC", "RELATHE", "TOX-171", "warpPIE10P")
SEEDS = range(3)
LABELS = ("--labels-per-class", "3")
METHODS = {
    "sselect": ("sselect",),
    "sc4": ("sc4", "--paper"),
    "cls": ("cls", "--paper"),
    "csfs": ("csfs",),  # with the bandwidth of the thesis it refuses most tables
}
KMEANS = ("kmeans", "--restarts", "20")


def cells(program, tables, columns, value):
    """A record for each table and column; `value` makes the number of one seed and its command."""
    records = []
    for table in tables:
        for column in columns:
            values = [value(program, table, column, seed) for seed in SEEDS]
            numbers = [round(number, 4) for number, _ in values]
            record = {"command": values[0][1], "row": table, "column": column}
            records.append(record | {"values": numbers})
    return records


def rand_with_best(program, table, ranking, seed, clustering=KMEANS, top=None):
    """The Rand index of clusters in the best features; `top` is how many, if that differs."""
    cluster = ["cluster", "best.csv", "--label-column", "Y", "--method", *clustering, *LABELS]
    ranking = ["--method", *ranking, *LABELS]
    shown = [*ranking, *([] if top is None else ["--top", "K"])]
    noted = f"tamis select TABLE.mat {' '.join(shown)} -o best.csv && tamis {' '.join(cluster)}"
    number_of = [] if top is None else ["--top", top]
    random = ("--seed", seed)
    select = ["select", f"{table}.mat", *ranking, *number_of]
    program.ask(select, ("-o", "best.csv", *random), noted)
    result, number = program.ask_json(cluster, random, noted)
    return result["agreement"]["rand"], number


def rand_projected(program, table, projection, seed, components):
    """The Rand index of k-means in the components of a projection."""
    cluster = ["cluster", "projected.csv", "--label-column", "Y", "--method", *KMEANS, *LABELS]
    project = ["--method", projection, *LABELS, "--n-components"]
    noted = (
        f"tamis project TABLE.mat {' '.join(project)} K -o projected.csv && "
        f"tamis {' '.join(cluster)}"
    )
    random = ("--seed", seed)
    command = ["project", f"{table}.mat", *project, components]
    program.ask(command, ("-o", "projected.csv", *random), noted)
    result, number = program.ask_json(cluster, random, noted)
    return result["agreement"]["rand"], number


def number_kept(program, table, seed=0):
    """How many features CSFSR keeps."""
    arguments = ["--method", "csfsr", *LABELS]
    noted = f"tamis rank TABLE.mat {' '.join(arguments)}"
    command = ["rank", f"{table}.mat", *arguments]
    result, _ = program.ask_json(command, ("--seed", seed), noted)
    return len(result["selected"])


def projected(program):
    """The projections of Tables 3.5 (as many components as CSFSR keeps features), 4.2 and 4.5."""

    def value(program, table, column, seed):
        method, _, ten = column.partition(" in ")
        components = 10 if ten else number_kept(program, table, seed)
        return rand_projected(program, table, method, seed, components)

    ten = ("cfld in 10", "ssdr in 10")
    return [
        *cells(program, (*TABLES, "pixraw10P"), ten, value),
        *cells(program, (*TABLES, "orlraws10P"), ("ssdr",), value),
    ]


def as_many_as_csfsr(program):
    """Table 3.5 of the thesis: k-means in as many best features as CSFSR keeps."""
    kept = {}

    def value(program, table, column, seed):
        if column == "csfsr":
            return rand_with_best(program, table, ("csfsr",), seed)
        if (table, seed) not in kept:
            kept[table, seed] = number_kept(program, table, seed)
        return rand_with_best(program, table, METHODS[column], seed, top=kept[table, seed])

    return cells(program, (*TABLES, "orlraws10P"), (*METHODS, "csfsr"), value)


def ten_best(program):
    """Tables 4.2 and 4.5: ten best features; wckm and l2gfs cluster, k-means for the others."""

    def value(program, table, column, seed):
        ranking = (*METHODS.get(column, (column,)), "--top", "10")
        clustering = KMEANS if column in METHODS else (column, "--restarts", "20")
        return rand_with_best(program, table, ranking, seed, clustering)

    return cells(program, (*TABLES, "pixraw10P"), (*METHODS, "wckm", "l2gfs"), value)


CLUSTERINGS = {
    "cop_kmeans, unconstrained": ("kmeans", *LABELS),
    "cop_kmeans": ("cop_kmeans", *LABELS),
    "mpc_kmeans, unconstrained": ("mpc_kmeans", "--penalty", "0", "--labels-per-class", "1"),
    "mpc_kmeans": ("mpc_kmeans", *LABELS),
    "wckm, unconstrained": ("wckm", "--penalty", "0", *LABELS),
    "wckm": ("wckm", *LABELS),
    "l2gfs, unconstrained": ("l2gfs", "--labels-per-class", "1"),
    "l2gfs": ("l2gfs", *LABELS),
}


def constrained(program):
    """Table 4.3: constrained clusterings in all features, on rows that no constraint touches."""

    def value(program, table, column, seed):
        arguments = ["--method", *CLUSTERINGS[column]]
        noted = f"tamis cluster TABLE.mat {' '.join(arguments)}"
        command = ["cluster", f"{table}.mat", *arguments]
        result, number = program.ask_json(command, ("--seed", seed), noted)
        return result["held_out_agreement"]["rand"], number

    return cells(program, (*TABLES, "pixraw10P"), CLUSTERINGS, value)
