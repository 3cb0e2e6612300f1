"""Agreement of clusters with classes: `tamis select` and `tamis cluster`, over several seeds."""

TABLES = ("PCMAC", "RELATHE", "TOX-171", "warpPIE10P")
SEEDS = range(3)
LABELS = ("--labels-per-class", "3")
CLS = ("cls", "--bandwidth", "0.1", "--bandwidth-unit", "absolute")
METHODS = {"sselect": ("sselect",), "sc4": ("sc4",), "cls": CLS, "csfs": ("csfs",)}
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


def as_many_as_csfsr(program):
    """Table 3.5 of the thesis: k-means in as many best features as CSFSR keeps."""
    kept = {}

    def number_kept(table, seed):
        if (table, seed) not in kept:
            arguments = ["--method", "csfsr", *LABELS]
            noted = f"tamis rank TABLE.mat {' '.join(arguments)}"
            command = ["rank", f"{table}.mat", *arguments]
            result, _ = program.ask_json(command, ("--seed", seed), noted)
            kept[table, seed] = len(result["selected"])
        return kept[table, seed]

    def value(program, table, column, seed):
        if column == "csfsr":
            return rand_with_best(program, table, ("csfsr",), seed)
        top = number_kept(table, seed)
        return rand_with_best(program, table, METHODS[column], seed, top=top)

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
