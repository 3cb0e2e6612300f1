"""Must-links deduced from the nearest labeled row, and how many of them are right."""

TABLES = ("vehicle", "segmentation", "segmentation2310", "wbcd", "ionosphere", "sonar", "libras")
RUNS = 50
COLUMNS = ("CR", "COV", "SMC")


def quality(result):
    """Correct among the deduced, correct among the possible, and given among the possible.

    Eq. 17 takes pairs from X²: in either order, and a row with itself.
    """
    rows, classes = result["data"]["rows"], result["data"]["classes"]
    links, deduction = result["must_link"], result["deduction"]
    given = links["from_labels"]
    deduced = given + links["deduced"]
    correct = deduction["correct"] * deduced
    possible = correct / deduction["coverage"]
    per_class = result["data"]["labeled"] // classes
    return (
        (2 * correct + rows) / (2 * deduced + rows),
        (2 * correct + rows) / (2 * possible + rows),
        classes * per_class**2 / (2 * possible + rows),
    )


def deduced(program):
    """Table 2 of the report on similarity-based constraint scores."""
    records = []
    for table in TABLES:
        command = ["constraints", f"{table}.csv", "--labels-per-class", 3, "--nearest-prototype"]
        command += ["--scale", "standard"]
        noted = "tamis " + " ".join(map(str, ["constraints", "TABLE.csv", *command[2:]]))
        runs = []
        for seed in range(RUNS):
            result, number = program.ask_json(command, ("--seed", seed), noted)
            runs.append(quality(result))
        for column, values in zip(COLUMNS, zip(*runs, strict=True), strict=True):
            numbers = [round(value, 6) for value in values]
            records.append({"command": number, "row": table, "column": column, "values": numbers})
    return records
