"""How sSelect depends on λ (η here): Figure 7a of its paper, and the accuracies of Figure 4."""

from reproducing.accuracy import measure
from reproducing.facts import fact

ETAS = [round(0.1 * step, 1) for step in range(1, 10)]
LABELS = {2: 0.8, 6: 0.4, 10: 0.2}  # labels in all, and the best λ that the text gives
SHORT, LONG = 10, 200  # numbers of features
GOOD = (0.1, 0.3)  # where the text finds λ good with few features
METHODS = ",".join(f"sselect:eta={eta}" for eta in ETAS)
COMMANDS = [
    (
        "PCMAC.mat",
        f"--protocol sselect-2006 --methods {METHODS} --top {SHORT},{LONG} --random-draws 1"
        " --runs 1",
    )
]


def effect(program):
    """The curves, and what the text says of them."""
    records = measure(program, "sselect-eta", COMMANDS)
    facts = []
    for labels, published in LABELS.items():
        found = {
            float(record["method"].partition("=")[2]): dict(
                zip(record["lengths"], record["mean"], strict=True)
            )
            for record in records
            if record["labels"] == labels and "=" in record["method"]
        }
        number = records[0]["command"]
        best = {length: max(ETAS, key=lambda eta: found[eta][length]) for length in (SHORT, LONG)}
        within = GOOD[0] <= best[SHORT] <= GOOD[1]
        facts.append(fact(f"short-{labels}", number, f"λ = {best[SHORT]}", within))
        near = abs(best[LONG] - published) <= 0.1 + 1e-9
        facts.append(fact(f"long-{labels}", number, f"λ = {best[LONG]}", near))
    return [*records, *facts]
