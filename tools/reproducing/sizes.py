"""The tables that the thesis used, beside those that are here: rows, features, classes."""

from reproducing.facts import fact

FIRST = {  # Table 3.1
    "iris.csv": (150, 4, 3),
    "wave.csv": (5000, 40, 3),
    "ionosphere.csv": (351, 34, 2),
    "sonar.csv": (208, 60, 2),
    "soybean.csv": (47, 35, 4),
    "leukemia.mat": (72, 7129, 2),
    "colon.mat": (62, 2000, 2),
    "warpPIE10P.mat": (210, 2420, 10),
    "pixraw10P.mat": (100, 10000, 10),
}
SECOND = {  # Table 3.3, with the share of rows that three labels per class are
    "PCMAC.mat": (1943, 3289, 2, 0.003),
    "RELATHE.mat": (1427, 4322, 2, 0.004),
    "TOX-171.mat": (171, 5748, 4, 0.07),
    "orlraws10P.mat": (100, 10000, 10, 0.3),
}
LABELS, ROUNDED = 3, 0.1


def sizes(program):
    program.ask(["generate", "wave", "-o", "wave.csv"])
    records = []
    for file, published in (FIRST | SECOND).items():
        result, number = program.ask_json(["info", file], (), "tamis info TABLE")
        rows, features, classes = result["rows"], result["features"], len(result["classes"])
        share = LABELS * classes / rows
        same = [
            ours == theirs
            for ours, theirs in zip((rows, features, classes), published[:3], strict=True)
        ]
        words = f"{rows} × {features}, {classes} classes"
        if file in SECOND:
            same.append(abs(share - published[3]) <= ROUNDED * published[3])
            words += f", {100 * share:.1f} % labeled"
        records.append(fact(file.partition(".")[0], number, words, sum(same) / len(same)))
    return records
