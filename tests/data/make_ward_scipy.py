"""Writes ward_scipy.json: random tables and the merges that SciPy's Ward linkage gives on them."""

import json
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import linkage

SHAPES = ((12, 2), (60, 3), (150, 5))


def main():
    rng = np.random.default_rng(0)
    tables = []
    for rows, cols in SHAPES:
        x = rng.standard_normal((rows, cols)).round(4)
        merges = [[int(a), int(b), h, int(size)] for a, b, h, size in linkage(x, method="ward")]
        values = x.ravel().tolist()
        tables.append({"rows": rows, "cols": cols, "values": values, "merges": merges})
    Path(__file__).with_name("ward_scipy.json").write_text(json.dumps(tables) + "\n")


if __name__ == "__main__":
    main()
