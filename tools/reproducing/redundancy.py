"""Redundancy of the features that supervised methods choose: Table 3.6 of the thesis."""

import json

from reproducing.accuracy import condensed
from reproducing.clusters import number_kept

METHODS = "arom_svm,mrmr,spfs:solver=sfs,spfs:solver=nes,spfs:solver=lar"
TABLES = ("TOX-171", "warpPIE10P", "orlraws10P", "PCMAC", "RELATHE")
EVERY_LABEL = 1000
RUNS = 3


def rates(program):
    """All see every label of the training rows, and choose as many features as CSFSR keeps."""
    records = []
    for table in TABLES:
        command = ["evaluate", f"{table}.mat", "--protocol", "csfsr-2013", "--methods", METHODS]
        command += ["--labels-per-class", EVERY_LABEL, "--classifier", "nearest_neighbor"]
        command += ["--random-draws", 1, "--runs", RUNS, "--top"]
        noted = "tamis " + " ".join(map(str, ["evaluate", "TABLE.mat", *command[2:], "K"]))
        kept = number_kept(program, table)
        text, number = program.ask([*command, kept], ("-o", "-"), noted)
        lines = [json.loads(line) for line in text.splitlines()[1:]]
        records += [{"command": number} | record for record in condensed(lines)]
    return records
