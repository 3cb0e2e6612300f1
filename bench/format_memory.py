#!/usr/bin/env python3
"""How much memory `tamis info` takes to read a table, by format, as a multiple of the table.

Writes the table of docs/formats.md: bench/format_memory.py [--tamis PROGRAM]. Dense tables are of
doubles, sparse ones of doubles and 32-bit columns, as tamis holds them.
"""

import argparse
import itertools
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import h5py
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse
from peers.data import write_names

ROWS, COLUMNS = 10_000, 500
ENTRIES = 5_000_000
MEBIBYTE = 1 << 20


# What a process held before it became another one counts as well, so that a small one starts it.
MEASURE = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                       file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
os.write(1, b"%d %d" % (status, usage.ru_maxrss))
"""


def peak_memory(command):
    """Bytes that the command held at most."""
    measured = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *command], check=True, stdout=subprocess.PIPE
    )
    status, kibibytes = map(int, measured.stdout.split())
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return kibibytes * 1024


def write_xlsx(path, frame):
    """As openpyxl does, a hundred times as fast."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
            '<sheet name="table" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships><Relationship Id="r1" Type="{office}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{main}"><sheetData><row>'.encode())
            for name in frame.columns:
                sheet.write(f'<c t="inlineStr"><is><t>{name}</t></is></c>'.encode())
            sheet.write(b"</row>")
            for row in frame.to_numpy().tolist():
                cells = "".join(f"<c><v>{value!r}</v></c>" for value in row)
                sheet.write(f"<row>{cells}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def write_gct(path, frame):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#1.2\n{frame.shape[1]}\t{frame.shape[0]}\nName\tDescription\t")
        file.write("\t".join(f"s{i}" for i in range(len(frame))) + "\n")
        for name in frame.columns:
            file.write(f"{name}\tna\t" + "\t".join(map(repr, frame[name].tolist())) + "\n")


def write_matlab_73(path, x):
    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_dataset("X", data=x.T).attrs["MATLAB_class"] = np.bytes_("double")
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + bytes([0, 2]) + b"IM")


def write_csc_h5ad(path, x):
    """As anndata does."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csc_matrix", "encoding-version": "0.1.0"})
        group.attrs["shape"] = x.shape
        for part in ("data", "indices", "indptr"):
            group.create_dataset(part, data=getattr(x, part))
        write_names(file, x.shape)


def write_dense(folder, convert):
    """Files of one dense table, with what they are."""
    x = np.random.default_rng(0).standard_normal((ROWS, COLUMNS))
    frame = pd.DataFrame(x, columns=[f"g{c}" for c in range(COLUMNS)])
    frame.to_csv(folder / "t.csv", index=False, float_format="%.6f")
    yield "CSV, 6 decimals", "t.csv"
    frame.to_csv(folder / "full.csv", index=False)
    yield "CSV, all digits", "full.csv"
    frame.to_csv(
        folder / "t.csv.gz",
        index=False,
        float_format="%.6f",
        compression={"method": "gzip", "compresslevel": 1},
    )
    yield "CSV, 6 decimals, gzip", "t.csv.gz"
    (folder / "t.csv.xz").write_bytes(lzma.compress((folder / "t.csv").read_bytes(), preset=0))
    yield "CSV, 6 decimals, xz", "t.csv.xz"
    for orient in ("records", "columns", "split", "values"):
        frame.to_json(folder / f"{orient}.json", orient=orient, double_precision=15)
        yield f"JSON, {orient}", f"{orient}.json"
    frame.to_json(folder / "t.jsonl", orient="records", lines=True, double_precision=15)
    yield "JSON lines", "t.jsonl"
    write_xlsx(folder / "t.xlsx", frame)
    yield "XLSX", "t.xlsx"
    write_gct(folder / "t.gct", frame)
    yield "GCT", "t.gct"
    convert("full.csv", "t.arff")
    yield "ARFF", "t.arff"
    scipy.io.mmwrite(folder / "dense.mtx", x)
    yield "Matrix Market, array", "dense.mtx"
    np.save(folder / "t.npy", x)
    yield "NPY", "t.npy"
    np.save(folder / "fortran.npy", np.asfortranarray(x))
    yield "NPY, Fortran order", "fortran.npy"
    np.savez_compressed(folder / "t.npz", X=x)
    yield "NPZ, compressed", "t.npz"
    scipy.io.savemat(folder / "t.mat", {"X": x})
    yield "MATLAB 5", "t.mat"
    scipy.io.savemat(folder / "packed.mat", {"X": x}, do_compression=True)
    yield "MATLAB 5, compressed", "packed.mat"
    write_matlab_73(folder / "t73.mat", x)
    yield "MATLAB 7.3", "t73.mat"
    convert("t.npy", "t.h5ad")
    yield "h5ad", "t.h5ad"
    frame.to_parquet(folder / "t.parquet")
    yield "Parquet", "t.parquet"
    frame.to_feather(folder / "t.feather")
    yield "Feather", "t.feather"


def write_sparse(folder, convert):
    rng = np.random.default_rng(1)
    rows, columns = 100_000, 2_000
    place = np.unique(rng.integers(rows * columns, size=ENTRIES))
    values = rng.integers(1, 9, size=len(place)).astype(float)
    x = scipy.sparse.csr_matrix((values, divmod(place, columns)), shape=(rows, columns))
    scipy.sparse.save_npz(folder / "s.npz", x)
    yield "NPZ of SciPy, CSR", "s.npz", x.nnz
    scipy.sparse.save_npz(folder / "csc.npz", x.tocsc())
    yield "NPZ of SciPy, CSC", "csc.npz", x.nnz
    scipy.io.mmwrite(folder / "s.mtx", x)
    yield "Matrix Market, coordinates", "s.mtx", x.nnz
    convert("s.npz", "s.mtx.gz")
    yield "Matrix Market, coordinates, gzip", "s.mtx.gz", x.nnz
    convert("s.npz", "s.svm")
    yield "LIBSVM", "s.svm", x.nnz
    convert("s.npz", "s.h5ad")
    yield "h5ad, CSR", "s.h5ad", x.nnz
    write_csc_h5ad(folder / "csc.h5ad", x.tocsc())
    yield "h5ad, CSC", "csc.h5ad", x.nnz
    scipy.io.savemat(folder / "s.mat", {"X": x})
    yield "MATLAB 5, sparse", "s.mat", x.nnz
    scipy.io.savemat(folder / "packed.mat", {"X": x}, do_compression=True)
    yield "MATLAB 5, sparse, compressed", "packed.mat", x.nnz


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tamis", default="build/release/tamis")
    parser.add_argument("--only", default="", help="formats whose name holds this")
    arguments = parser.parse_args()
    tamis = os.path.abspath(arguments.tamis)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def convert(source, target):
            subprocess.run(
                [tamis, "convert", folder / source, "-o", folder / target],
                check=True,
                stderr=subprocess.DEVNULL,
            )

        (folder / "small.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
        base = peak_memory([tamis, "info", folder / "small.csv"])
        print("| format | file, MiB | table, MiB | memory / table |\n|---|---|---|---|")
        dense = ((what, file, 8 * ROWS * COLUMNS) for what, file in write_dense(folder, convert))
        sparse = ((what, file, 12 * n) for what, file, n in write_sparse(folder, convert))
        for what, file, table in itertools.chain(dense, sparse):
            if arguments.only not in what:
                continue
            size = (folder / file).stat().st_size
            memory = peak_memory([tamis, "info", folder / file]) - base
            print(
                f"| {what} | {size / MEBIBYTE:.0f} | {table / MEBIBYTE:.0f} "
                f"| {memory / table:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
