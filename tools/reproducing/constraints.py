"""Accuracy by the number of constraints: Figures 4.3 and 4.5 of the thesis, 4 of the CIKM paper."""

from statistics import fmean, pstdev

from reproducing.accuracy import measure
from reproducing.facts import fact

TABLES = ("TOX-171", "warpPIE10P", "pixraw10P", "PCMAC", "RELATHE")
COMMANDS = [
    (
        "TOX-171.mat",
        "--protocol constraints-2013 --methods wckm,l2gfs,cfld,ssdr --scaling minmax"
        " --random-draws 1 --runs 5",
    ),
    (
        "warpPIE10P.mat pixraw10P.mat",
        "--protocol constraints-2013 --methods wckm,l2gfs,cfld,ssdr --random-draws 1 --runs 5",
    ),
    (
        "PCMAC.mat RELATHE.mat",
        "--protocol constraints-2013 --methods wckm,l2gfs,cfld,ssdr --random-draws 1 --runs 3",
    ),
]
CLOSE = 0.02


def shown(line):
    first, last = line["constraints"][0], line["constraints"][-1]
    accuracies = line["by_constraints"]
    return f"{accuracies[0]:.2f} ({first}) to {accuracies[-1]:.2f} ({last})"


def curves(program):
    """How accuracy changes with the number of constraints, beside the records themselves."""
    records = measure(program, "thesis-constraints", COMMANDS)
    found = {
        (record["data_set"], record["method"]): record
        for record in records
        if "by_constraints" in record
    }
    facts = []
    for table in TABLES:
        wckm, l2gfs = (found[table, method] for method in ("wckm", "l2gfs"))
        high = max(wckm["by_constraints"])
        hump = (wckm["by_constraints"][0] < high, wckm["by_constraints"][-1] < high)
        facts.append(fact(f"hump-{table}", wckm["command"], shown(wckm), fmean(hump)))
        spreads = [pstdev(line["by_constraints"]) for line in (l2gfs, wckm)]
        words = f"deviation over the numbers of constraints {spreads[0]:.3f}, wCKM {spreads[1]:.3f}"
        facts.append(fact(f"stable-{table}", l2gfs["command"], words, spreads[0] < spreads[1]))
        few = l2gfs["by_constraints"][0] >= max(l2gfs["by_constraints"]) - CLOSE
        facts.append(fact(f"few-{table}", l2gfs["command"], shown(l2gfs), few))
    return [*records, *facts]
