"""What is run: the name of each experiment and how its records come about."""

import json

from reproducing import (
    clusters,
    constraints,
    facts,
    first_columns,
    must_links,
    redundancy,
    regularization,
    sizes,
    waves,
    worked,
)
from reproducing.accuracy import measure
from reproducing.published_ranks import ranks_of

# Settings of the thesis are its own. Where its bandwidth leaves no weight CSFS refuses: ours there.
RANKERS = "sselect,sc4,cls,csfs,csfsr"
WIDE_RANKERS = "sselect,sc4,cls,csfs:settings=default,csfsr:settings=default"
UCI = "laplacian_score,fisher_score,constraint_score,cls,csfs"
UCI_TABLES = "iris.csv ionosphere.csv sonar.csv soybean.csv"
HALVES = "--split fraction --train-share 0.5"
ONCE = "--random-draws 1"
CLS_001 = "cls:form=ensemble,neighbors_among=unlabeled,bandwidth=0.1,bandwidth_unit=absolute"

ENS_CLS = f"--protocol ens-cls-2013 --methods ens_cls,{CLS_001},csfs,bcs {ONCE} --unlabeled NA"
ENS_CLS_PAPER = f"--protocol ens-cls-2013 --paper {ONCE} --unlabeled NA --methods ens_cls"
SSFI = f"--protocol ens-cls-2013 --methods ssfi {ONCE} --unlabeled NA"
SOME_LABELS = f"--protocol cls-2011 --paper --methods {UCI} --labels-per-class 5,10,20 {ONCE}"
ALL_LABELS = f"--protocol cls-2011 --methods fisher_score --labels-per-class 1000 {ONCE}"
WCKM = f"--protocol wckm-2013 --paper {ONCE} --methods wckm,l2gfs"
GENE_PAIRS = (
    f"--protocol constraints-uci-2013 --paper {ONCE} --unlabeled NA"
    " --methods laplacian_score,fisher_score,sc4,constraint_score"
)
TUNED = f"--protocol csfsr-2013 --paper {ONCE} --methods"

ACCURACY = {
    "ens-cls-table-2": [
        ("leukemia.mat lymphoma.mat pixraw10P.mat", f"{ENS_CLS} --runs 10"),
        ("warpPIE10P.mat", f"{ENS_CLS} --runs 5"),
        ("madelon.mat", f"{ENS_CLS} --scaling minmax --runs 5"),
        ("PCMAC.mat RELATHE.mat BASEHOCK.mat", f"{ENS_CLS} --runs 5"),
    ],
    "thesis-uci": [
        (UCI_TABLES, f"{SOME_LABELS} --runs 100"),
        (UCI_TABLES, f"{ALL_LABELS} --runs 1"),
    ],
    "thesis-uci-random-halves": [
        (UCI_TABLES, f"{SOME_LABELS} {HALVES} --runs 100"),
        (UCI_TABLES, f"{ALL_LABELS} {HALVES} --runs 100"),
    ],
    "thesis-genes": [
        (
            "colon.mat leukemia.mat",
            "--protocol cls-2011 --paper"
            " --methods laplacian_score,fisher_score,constraint_score,sc4,cls"
            " --top 50,100,250,500,1000,1500,2000,3000,4000,5000,6000,7000"
            f" {ONCE} --unlabeled NA --runs 20",
        ),
    ],
    "thesis-faces": [
        (
            "warpPIE10P.mat pixraw10P.mat",
            "--protocol cls-2011 --paper --methods laplacian_score,cls,relieff,spec:phi=3,spec"
            " --label-budget per_class"
            f" --labels-per-class 3 --top 10:200:10 {ONCE} --runs 20",
        ),
    ],
    "thesis-text": [("PCMAC.mat RELATHE.mat", f"{WCKM},{RANKERS} --top 20:200:20 --runs 5")],
    "thesis-tuned": [
        ("TOX-171.mat", f"{TUNED} {WIDE_RANKERS} --scaling minmax --runs 5"),
        ("warpPIE10P.mat orlraws10P.mat", f"{TUNED} {WIDE_RANKERS} --runs 5"),
    ],
    "thesis-fixed": [
        ("TOX-171.mat", f"{WCKM},{WIDE_RANKERS} --scaling minmax --runs 10"),
        ("warpPIE10P.mat pixraw10P.mat", f"{WCKM},{WIDE_RANKERS} --runs 10"),
    ],
    "thesis-constraints-uci": [
        (
            UCI_TABLES,
            "--protocol constraints-uci-2013 --paper --methods csfs,pca,cfld,ssdr"
            f" {ONCE} --runs 20",
        ),
        ("colon.mat leukemia.mat", f"{GENE_PAIRS},csfs:settings=default --runs 10"),
    ],
    "ens-cls-paper": [
        (
            "leukemia.mat lymphoma.mat warpPIE10P.mat pixraw10P.mat",
            f"--protocol ens-cls-2013 --paper --methods ens_cls,bcs {ONCE} --unlabeled NA --runs 2",
        ),
        # Without the votes of BS: 2000 machines on more than a thousand rows for each run.
        ("madelon.mat", f"{ENS_CLS_PAPER} --scaling minmax --runs 2"),
        ("PCMAC.mat RELATHE.mat BASEHOCK.mat", f"{ENS_CLS_PAPER} --runs 1"),
    ],
    "ens-cls-ssfi": [
        ("leukemia.mat lymphoma.mat", f"{SSFI} --runs 2"),
        ("madelon.mat", f"{SSFI} --runs 2 --scaling minmax"),
        ("PCMAC.mat RELATHE.mat BASEHOCK.mat", f"{SSFI} --runs 2"),
        ("warpPIE10P.mat pixraw10P.mat", f"{SSFI} --runs 2"),
    ],
    "sbcs-figures": [
        (
            "vehicle.csv segmentation.csv wbcd.csv ionosphere.csv sonar.csv libras.csv",
            "--protocol sbcs-2020 --methods constraint_score,constraint_score:form=difference,"
            f"sbcs:mode=supervised,lsdf,sc4,sbcs {ONCE} --runs 10",
        ),
    ],
    "sselect-table-2": [
        (
            "PCMAC.mat BASEHOCK.mat",
            "--protocol sselect-2006 --methods sselect,sselect:eta=0.9,fisher_score,laplacian_score"
            f" {ONCE} --runs 6",
        ),
    ],
}

OTHERS = {
    "thesis-iris": facts.iris,
    "thesis-wave": facts.wave,
    "thesis-sizes": sizes.sizes,
    "thesis-waves": waves.waves,
    "thesis-coherence": worked.coherence,
    "thesis-pruning": worked.pruning,
    "thesis-projections": clusters.projected,
    "thesis-constraints": constraints.curves,
    "thesis-table-3.5": clusters.as_many_as_csfsr,
    "thesis-table-3.6": redundancy.rates,
    "thesis-table-4.2": clusters.ten_best,
    "thesis-table-4.3": clusters.constrained,
    "ens-cls-first-columns": first_columns.equal_accuracies,
    "sselect-values": facts.nmi,
    "sselect-eta": regularization.effect,
    "sselect-cuts": regularization.cuts,
    "sbcs-five-rows": worked.five_rows,
    "sbcs-table-2": must_links.deduced,
}

RANKS = "ens-cls-ranks"
NAMES = [*ACCURACY, *OTHERS, RANKS]


def records_of(name, program, published):
    """The lines of an experiment's record; the first says what was run."""
    program.commands = []
    if name in ACCURACY:
        records = measure(program, name, ACCURACY[name])
    elif name == RANKS:
        items = [item for paper in published["papers"] for item in paper["items"]]
        table, wins = (
            next(item for item in items if what(item))
            for what in (lambda item: "average_ranks" in item, lambda item: item["kind"] == "wins")
        )
        records = ranks_of(program, table, wins)
    else:
        records = OTHERS[name](program)
    head = {"experiment": name, "version": program.version(), "commands": program.commands}
    return "".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n"
        for line in (head, *records)
    )
