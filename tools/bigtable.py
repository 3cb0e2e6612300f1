#!/usr/bin/env python3
"""Makes a table that is larger than memory, to try what is read in runs of rows.

    tools/bigtable.py big.npy --gigabytes 16 --cols 5000

Writes float32 values, and beside them `big.labels.csv` with 300 labels of two classes, which the
first ten columns tell apart. It holds one block of rows: further blocks are that one in another
order, scaled anew and with other signals, which is as good to read and much faster to make.
"""

import argparse
import pathlib

import numpy as np

BLOCK_ROWS = 2000
SIGNALS = 10
LABELS = 300


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=pathlib.Path, metavar="OUT.npy")
    parser.add_argument("--gigabytes", type=float, default=16.0)
    parser.add_argument("--cols", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main():
    given = arguments()
    rows = int(given.gigabytes * 1e9 / 4 / given.cols)
    random = np.random.default_rng(given.seed)
    base = random.standard_normal((BLOCK_ROWS, given.cols), dtype=np.float32)
    classes = random.integers(0, 2, rows)
    with open(given.path, "wb") as file:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (rows, given.cols)}
        np.lib.format.write_array_header_1_0(file, shape)
        for first in range(0, rows, BLOCK_ROWS):
            count = min(BLOCK_ROWS, rows - first)
            block = base[random.permutation(BLOCK_ROWS)[:count]]
            block *= np.float32(random.uniform(0.9, 1.1))
            noise = random.standard_normal((count, SIGNALS), dtype=np.float32)
            block[:, :SIGNALS] = noise + classes[first : first + count, None]
            file.write(block)
    known = np.sort(random.choice(rows, min(LABELS, rows), replace=False))
    with open(given.path.with_suffix(".labels.csv"), "w") as file:
        file.write("id,label\n")
        for row in known:
            file.write(f"{row},{'ab'[classes[row]]}\n")
    print(f"{rows} rows x {given.cols} columns in {given.path}")


if __name__ == "__main__":
    main()
