"""What is measured against what: functions that yield the rows of the table, by topic."""

import numpy as np
from instruments import Row, cpu_seconds
from peers import data, peers


def neighbor_rows(ours, sizes):
    for rows, goal in sizes:
        x = ours.load(f"blobs-{rows}x1000")
        what, name = f"neighbours, {rows:,} x 1,000", f"nearest_neighbors_dense/{rows}/1000/1"
        yield ours.against(
            what, "x scikit-learn brute force", goal, name, peers.nearest_neighbors, x
        )
        yield ours.against(what, "x faiss' flat index", ">= 2", name, peers.flat_index, x)


def neighbor_bound_rows(ours):
    """Against the time of the matrix product that the search cannot do without."""
    product = ours["sgemm/2048"]
    bound = 20000**2 * 2000 / (product["flops"] / product["seconds"])
    for threads in (1, 2):
        yield Row(
            f"neighbours, 20,000 x 2,000, {threads} thread{'s'[: threads - 1]}",
            "of the SGEMM bound",
            ">= 0.85",
            bound / ours.seconds(f"nearest_neighbors_dense/20000/2000/{threads}"),
        )


def laplacian_rows(ours, sizes):
    for rows, goal in sizes:
        x = ours.load(f"blobs-{rows}x1000")
        what = f"Laplacian score, {rows:,} x 1,000, from table to scores"
        name = f"laplacian_score_end_to_end/{rows}/1000/1"
        yield ours.against(what, "x NumPy + scikit-learn", goal, name, peers.laplacian_score, x)
        yield ours.against(
            what, "x scikit-feature", ">= 3", name, peers.scikit_feature_score, x, repetitions=1
        )


def scoring_rows(ours):
    x = ours.load("blobs-20000x2000")
    yield ours.against(
        "scoring alone, 20,000 x 2,000",
        "x NumPy/SciPy",
        ours.goal(">= 20", ">= 12"),
        "scoring/20000/2000/1",
        peers.scoring,
        x,
        peers.heat_graph(x),
    )
    for what, name in (
        ("neighbours, 20,000 x 2,000", "nearest_neighbors_dense/20000/2000/{}"),
        ("scoring, 20,000 x 2,000", "scoring/20000/2000/{}"),
    ):
        yield ours.cost_of_threads(what, name)


def all_pairs_rows(ours):
    x = ours.load("blobs-2000x1000").astype(float)
    for cols, goal in ((6, ">= 4"), (40, ">= 3")):
        yield ours.against(
            f"all pairs of 2,000 rows with heat weights, {cols} columns",
            "x NumPy/SciPy",
            goal,
            f"all_pairs/2000/{cols}",
            peers.all_pairs,
            x[:, :cols],
        )


def sparse_rows(ours, sparse):
    for name, x in sparse.items():
        yield ours.against(
            f"sparse neighbours, {x.shape[0]:,} x {x.shape[1]:,} ({name})",
            "x SciPy product + argpartition",
            ">= 12" if name == "basehock" else ">= 8",
            f"nearest_neighbors_sparse/{name}",
            peers.sparse_nearest_neighbors,
            x,
        )


def csv_rows(ours):
    what, name = "reading CSV, 20,000 x 200", "read_csv/1"
    file = ours.folder / "table.csv"
    yield ours.against(what, "x pandas (C engine)", ">= 5", name, peers.read_csv, file)
    yield ours.against(what, "x polars", ">= 1", name, peers.read_csv_by_polars, file)
    bytes_alone = cpu_seconds(file.read_bytes)
    yield Row(what, "x its bytes alone, into new memory", "<= 2", ours.seconds(name) / bytes_alone)
    wide = ours.folder / "wide.csv"
    what, name = "reading CSV, 60 x 50,000", "read_wide_csv/1"
    yield ours.against(what, "x pandas (C engine)", ">= 3", name, peers.read_csv, wide)


def h5ad_rows(ours):
    what, file = "reading h5ad, 10 million entries by rows", ours.folder / "counts.h5ad"
    yield ours.against(what, "x h5py and SciPy", ">= 1", "read_h5ad/1", peers.read_h5ad, file)


def missing_rows(ours):
    yield ours.against(
        "filling in from the nearest rows, 2,000 x 200, 1 % missing",
        "x scikit-learn's KNNImputer",
        ">= 1",
        "fill_nearest/1",
        peers.fill_nearest,
        np.load(ours.folder / "holes.npy"),
    )


def ensemble_rows(ours):
    """Members of ens_cls, without a map and, as by default, with one."""
    for rows, cols, members, goal in (
        (171, 5748, 1000, ours.goal(">= 15", ">= 8")),
        (2600, 500, 40, ">= 8"),
        (1993, 4862, 40, ours.goal(">= 10", ">= 5")),
    ):
        what = f"member of ens_cls, {rows:,} x {cols:,}"
        name = f"ens_cls_members/{rows}/{cols}/{{}}/{members}"
        one, two = (ours[name.format(threads)] for threads in (1, 2))
        few = members // 4
        theirs = cpu_seconds(peers.committee, ours.load(f"members-{rows}x{cols}"), few) / few
        yield Row(what, "x NumPy", goal, theirs / (one["seconds"] / members))
        shorter = two["real_time"] / one["real_time"]
        yield Row(f"{what}, two threads", "of one's wall time", "<= 0.6", shorter)
        yield ours.cost_of_threads(what, name)
    theirs = cpu_seconds(peers.committee, ours.load("members-171x5748"), 25, peers.batch_map) / 25
    ones = ours.seconds("ens_cls_members_on_maps/171/5748/1/100") / 100
    yield Row("member of ens_cls on a map, 171 x 5,748", "x NumPy", ">= 7", theirs / ones)


def clustering_rows(ours):
    """Maps, Ward's clustering and the tree of correlations."""
    search, product = ours["best_units/100000/200/1582"], ours["sgemm/2048"]
    yield Row(
        "best units of a map, 100,000 x 200, 1,582 units",
        "of the SGEMM rate",
        ">= 0.6",
        search["flops"] / search["seconds"] / (product["flops"] / product["seconds"]),
    )
    x = ours.load("blobs-100000x200")
    som = ours["som/100000/200/1"]
    # MiniSom takes so long that every tenth row stands for ten.
    for peer, unit, step in ((peers.som, "x somoclu", 1), (peers.minisom, "x MiniSom", 10)):
        epoch = cpu_seconds(peer, x[::step], 61, 26, 1, repetitions=1) * step
        what = "map, 100,000 x 200, per epoch"
        yield Row(what, unit, ">= 1", epoch / (som["seconds"] / som["epochs"]))
    yield ours.against(
        "Ward, 10,000 x 100",
        "x fastcluster",
        ">= 1",
        "ward/10000/100/1",
        peers.ward,
        ours.load("blobs-10000x100"),
        repetitions=1,
    )
    yield Row(
        "tree of 5,000 features, 2,000 rows",
        "x the product X'X",
        "<= 2",
        ours.seconds("spanning_tree/5000/2000/1/50")
        / ours.seconds("correlation_product/5000/2000"),
    )


def iteration(ours, method, rows=100000, cols=100, clusters=10):
    """Of a clustering, as the difference of a long and a short run."""
    name = f"{method}_iterations/{rows}/{cols}/{clusters}"
    short, long = (ours[f"{name}/{most}/1"] for most in (2, 12))
    return (long["seconds"] - short["seconds"]) / (long["iterations"] - short["iterations"])


def iteration_rows(ours):
    x = ours.load("noise-100000x100")
    few, many = (cpu_seconds(peers.kmeans, x, 10, iterations) for iterations in (5, 25))
    lloyd = (many - few) / 20
    for method, goal in (
        ("wckm", ours.goal("<= 2.5", "<= 3")),
        ("l2gfs", ours.goal("<= 2", "<= 3")),
    ):
        yield Row(
            f"iteration of {method}, 100,000 x 100, 10 clusters",
            "x one of scikit-learn's k-means",
            goal,
            iteration(ours, method) / lloyd,
        )


def growth_rows(ours):
    """How the cost of iterations grows."""
    for method in ("wckm", "l2gfs"):
        for what, shape in (
            ("rows", {"rows": 200000}),
            ("columns", {"cols": 200}),
            ("clusters", {"clusters": 20}),
        ):
            yield Row(
                f"iteration of {method}, twice the {what}",
                "x the cost",
                "<= 2.3",
                iteration(ours, method, **shape) / iteration(ours, method),
            )


def ridge_omp_peer_rows(ours):
    """Our own default and its ranks, against NumPy and SciPy."""
    counts = data.make_counts().toarray()
    labels = np.where(np.arange(len(counts)) < 6, np.arange(len(counts)) % 2, -1)
    yield ours.against(
        "ridge_omp, 1,943 x 3,289 counts, 6 labels, 50 features",
        "x NumPy",
        ">= 20",
        "ridge_omp_sparse",
        peers.ridge_omp,
        counts,
        labels,
        repetitions=1,
    )
    yield ours.against(
        "ranks of columns, 100,000 x 100",
        "x scipy.stats.rankdata",
        ">= 10",
        "rank_transform/100000/100",
        peers.rank_columns,
        ours.load("noise-100000x100"),
    )


def ridge_omp_rows(ours):
    """Our own default, against reading the table as often as it has steps."""
    one = ours.seconds("ridge_omp_dense/100000/2000/1")
    matching = one - ours.seconds("rank_transform/100000/2000")
    yield Row(
        "ridge_omp less its ranks, 100,000 x 2,000, 6 labels, 50 features",
        "x reading the table once",
        ours.goal("<= 30", "<= 50"),
        matching / ours.seconds("reading_pass/100000/2000"),
    )
    for what, judged, plain in (
        ("100,000 x 2,000, 6 labels, 50 features", "dense_judged/100000/2000/1", one),
        ("1,943 x 3,289 counts, 6 labels", "sparse_judged", ours.seconds("ridge_omp_sparse")),
    ):
        yield Row(
            f"ridge_omp with features judged, {what}",
            "x without",
            "<= 6",
            ours.seconds(f"ridge_omp_{judged}") / plain,
        )
    yield ours.cost_of_threads("ridge_omp, 100,000 x 2,000", "ridge_omp_dense/100000/2000/{}")
    passes = 50 * ours.seconds("reading_pass/100/100000")
    for labels, what in ((1, "6 labels"), (0, "no labels")):
        matching = ours.seconds(f"ridge_omp_wide/100/100000/{labels}") - ours.seconds(
            "rank_transform/100/100000"
        )
        yield Row(
            f"ridge_omp less its ranks, 100 x 100,000, {what}, 50 features",
            "x reading the table for each",
            "<= 3",
            matching / passes,
        )


def level_rows(ours):
    """ridge_omp on levels: its kernels, and all of it beside the product X'X in float32."""
    floats = ours.seconds("float_products/5000")
    for kernel, what, goal in ((0, "16-bit integers", ">= 0.75"), (1, "doubles", ">= 0.3")):
        yield Row(
            f"products of 5,000 columns of codes by {what}",
            "of the SSYRK rate",
            goal,
            floats / ours.seconds(f"code_products/5000/{kernel}"),
        )
    yield Row(
        "scan of a table in memory, 100,000 x 2,000",
        "ns per value",
        "<= 6",
        ours.seconds("column_scan/100000/2000") / (100000 * 2000) * 1e9,
    )
    for run, where, cols, goals in (
        ("levels", "in memory", 2000, ("<= 3", "<= 6")),
        ("streamed", "from a file", 2000, ("<= 3", "<= 6")),
        ("streamed", "from a file", 5000, ("<= 1.8", "<= 3.6")),
    ):
        # SSYRK of the table: as many products per row as columns squared.
        whole = floats * (100000 / 512) * (cols / 5000) ** 2
        for judged, what in ((0, ""), (1, " with features judged")):
            yield Row(
                f"ridge_omp on levels {where}{what}, 100,000 x {cols:,}, 6 labels",
                "x SSYRK of the table",
                goals[judged],
                ours.seconds(f"ridge_omp_{run}/100000/{cols}/{judged}") / whole,
            )
    words = ("rank", "--method", "ridge_omp", "--ranks", "levels", "--memory", "2G")
    few, many = (ours.peak_memory(f"noise-{rows}x2000", *words) * rows for rows in (12500, 100000))
    yield Row(
        "peak memory of ridge_omp from a file, 100,000 x 2,000",
        "x that of an eighth of the rows",
        "<= 1.05",
        many / few,
    )


def selector_rows(ours):
    """Selectors of labeled rows beside packages and NumPy; SPEC from table to scores."""
    x = data.make_labeled()
    labels = data.labels_of(len(x))
    for method, what, unit, goal, peer in (
        ("fisher_score", "", "x scikit-feature", ">= 20", peers.scikit_feature_fisher_score),
        ("fisher_score", "", "x scikit-learn's f_classif", ">= 1", peers.analysis_of_variance),
        ("relieff", "", "x skrebate", ">= 20", peers.relieff),
        ("mrmr", ", 50 features", "x mrmr_selection", ">= 10", peers.mrmr_selection),
        ("mrmr", ", 50 features", "x NumPy", ">= 10", peers.mrmr),
        ("fcbf", "", "x NumPy", ">= 10", peers.fcbf),
        ("fw_semifs", ", 40 labels, one sample", "x NumPy", ">= 3", peers.fw_semifs),
        ("ssfi", ", 40 labels, 200 trees", "x scikit-learn's trees", ">= 3", peers.ssfi),
    ):
        what = f"{method}, {len(x)} x {x.shape[1]:,}{what}"
        name = f"{method}_labeled/{len(x)}/{x.shape[1]}/1"
        yield ours.against(what, unit, goal, name, peer, x, labels, repetitions=1)
    few = np.where(np.arange(2000) % 100 == 0, np.arange(2000) // 100 % 2, -1)
    yield ours.against(
        "sbcs, mode semi, 2,000 x 200, 3 features",
        "x NumPy",
        ">= 10",
        "sbcs_semi/2000/200/1",
        peers.sbcs,
        ours.load("blobs-2000x1000")[:, :200].astype(float),
        few,
        repetitions=1,
    )
    yield ours.cost_of_threads("sbcs, 2,000 x 200", "sbcs_semi/2000/200/{}")
    for method in ("relieff", "ssfi"):
        yield ours.cost_of_threads(f"{method}, 500 x 5,000", f"{method}_labeled/500/5000/{{}}")
    for rows in (2000, 10000):
        yield ours.against(
            f"SPEC, {rows:,} x 1,000, from table to scores",
            "x NumPy/SciPy + scikit-learn",
            ">= 3",
            f"spec_end_to_end/{rows}/1000/1",
            peers.spec,
            ours.load(f"blobs-{rows}x1000"),
        )


def projection_rows(ours):
    """Ten components of a wide table."""
    x = data.make_labeled()
    labels = data.labels_of(len(x))
    for peer in (peers.pca, peers.ssdr, peers.cfld, peers.rca):
        method = peer.__name__
        what = f"{method}, {len(x)} x {x.shape[1]:,}, all rows labeled"
        name = f"{method}_labeled/{len(x)}/{x.shape[1]}/1"
        yield ours.against(what, "x NumPy/SciPy", ">= 3", name, peer, x, labels)
    yield ours.cost_of_threads("pca, 500 x 5,000", "pca_labeled/500/5000/{}")


def memory_rows(ours):
    n_clusters = ("--n-clusters", "10")
    for method, goal, table, words in (
        ("laplacian_score", "<= 1.3", "blobs-20000x2000", ("rank",)),
        ("som", "<= 1.3", "blobs-100000x200", ("cluster",)),
        ("csfs", "<= 1.3", "blobs-20000x500", ("rank",)),
        ("wckm", "<= 1.3", "blobs-100000x200", ("rank", *n_clusters)),
        ("l2gfs", "<= 1.3", "blobs-100000x200", ("rank", *n_clusters)),
        ("ridge_omp", "<= 1.6", "noise-100000x2000", ("rank",)),
    ):
        shape = table.partition("-")[2].replace("x", " x ")
        yield Row(
            f"peak memory of {method}, {shape} float32",
            "x the table",
            goal,
            ours.peak_memory(table, *words, "--method", method),
        )


def program_rows(ours):
    """Jobs of the whole program that once took too long, in CPU-seconds."""
    labeled = ours.folder / "labeled-20000x40.csv"
    for method, what, file, goal in (
        ("csfs", "20,000 x 500", ours.folder / "blobs-20000x500.npy", "<= 12"),
        ("csfs", "20,000 x 40, all labeled", labeled, "<= 20"),
        ("csfsr", "20,000 x 40, all labeled", labeled, "<= 20"),
    ):
        seconds, _ = ours.program("rank", file, "--method", method)
        yield Row(f"{method}, {what}", "CPU-seconds", goal, seconds)


def prefix_rows(ours):
    yield ours.against(
        "1-NN by the first 1, 2, ..., 200 features, 1,000 + 1,000 rows",
        "x scikit-learn refitted",
        ">= 20",
        "nearest_by_prefix/2000/1000/200/1",
        peers.nearest_neighbor_prefixes,
        ours.load("blobs-2000x1000"),
        200,
        repetitions=1,
    )


QUICK = "|".join(
    (
        "^(sgemm|(nearest_neighbors_dense|laplacian_score_end_to_end)/2000/1000/1|all_pairs)",
        "^(nearest_neighbors_sparse/text|ens_cls_members)",
        "^(ridge_omp_sparse/|rank_transform/100000/100/)",
        "^(wckm|l2gfs)_iterations/100000/100/10/[0-9]+/1/",
    )
)


def quick_rows(ours):
    """Those whose tables are small."""
    text = data.write_small(ours.folder)
    ours.run(QUICK)
    yield from neighbor_rows(ours, ((2000, ">= 2.5"),))
    yield from laplacian_rows(ours, ((2000, ">= 3"),))
    yield from all_pairs_rows(ours)
    yield from sparse_rows(ours, {"text": text})
    yield from ensemble_rows(ours)
    yield from iteration_rows(ours)
    yield from ridge_omp_peer_rows(ours)


def selectors_rows(ours):
    """Those of selectors of labeled rows, SPEC and projections."""
    data.write_for_selectors(ours.folder)
    ours.run("_labeled/|^(sbcs_semi|spec_end_to_end)/")
    yield from selector_rows(ours)
    yield from projection_rows(ours)


def levels_rows(ours):
    """Those of ridge_omp on levels."""
    data.write_for_levels(ours.folder)
    ours.run("^(column_scan|code_products|float_products|ridge_omp_levels|ridge_omp_streamed)/")
    yield from level_rows(ours)


def all_rows(ours):
    sparse = data.write_all(ours.folder)
    ours.run()
    yield from neighbor_bound_rows(ours)
    yield from neighbor_rows(ours, ((10000, ">= 4.5"), (2000, ">= 2.5")))
    yield from laplacian_rows(ours, ((2000, ">= 3"), (10000, ">= 4")))
    yield from scoring_rows(ours)
    yield from all_pairs_rows(ours)
    yield from sparse_rows(ours, sparse)
    for part in (
        memory_rows,
        program_rows,
        csv_rows,
        h5ad_rows,
        missing_rows,
        ensemble_rows,
        clustering_rows,
        iteration_rows,
        growth_rows,
        ridge_omp_peer_rows,
        ridge_omp_rows,
        level_rows,
        selector_rows,
        projection_rows,
        prefix_rows,
    ):
        yield from part(ours)
