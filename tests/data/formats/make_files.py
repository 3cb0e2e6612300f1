"""Makes the files in this folder, by the tools that people make such files with.

    pip install anndata==0.12.19 h5py==3.16.0 openpyxl==3.1.5 pandas==2.3.3 scipy==1.17.1
    python make_files.py

All hold the table of table.csv, in float64 unless their names say otherwise.
"""

import datetime
import pathlib

import anndata
import h5py
import numpy as np
import openpyxl
import pandas as pd
import scipy.sparse

FOLDER = pathlib.Path(__file__).resolve().parent
NAMES = ["alpha", "beta, with comma", "gamma", "delta"]
IDS = [f"s{i}" for i in range(8)]
CLASSES = ["x", "y", "x", None, "y", "x", "y", None]
VALUES = np.array(
    [
        [0.1, 0, 3.25, -1e-3],
        [2.5, 0, 0, 7],
        [0, 1e10, 0.3333333333333333, 1],
        [1.5, 0, 0, 0],
        [9, -4, 0, 3e-308],
        [0.7, 0.7, 0.7, 0.7],
        [0, 0, 5, 6],
        [123456.789, 0, 0, -8],
    ]
)


def make_table():
    frame = pd.DataFrame(VALUES, columns=NAMES, index=pd.Index(IDS, name="id"))
    frame["class"] = CLASSES
    frame.to_csv(FOLDER / "table.csv")
    return frame


def make_xlsx(frame):
    frame.to_excel(FOLDER / "pandas.xlsx")
    book = openpyxl.Workbook()
    notes = book.active
    notes.title = "notes"
    notes["A1"] = "the table is on the next sheet"
    sheet = book.create_sheet("table")
    sheet.append(["id", *NAMES, "day", "ok", "twice", "broken", "class"])
    for i, row in enumerate(VALUES.tolist()):
        day = datetime.date(2024, 5, 1 + i)
        line = i + 3  # an empty line follows the header
        cells = [IDS[i], *row, day, i % 2 == 0, f"=B{line}*2", "#DIV/0!", CLASSES[i]]
        for column, cell in enumerate(cells, start=1):
            sheet.cell(row=line, column=column, value=cell)
        sheet.cell(row=line, column=9).data_type = "e"
    book.save(FOLDER / "openpyxl.xlsx")


def make_h5ad():
    obs = pd.DataFrame({"class": pd.Categorical(CLASSES), "batch": range(8)}, index=IDS)
    var = pd.DataFrame(index=NAMES)
    for kind, x in {
        "dense": VALUES,
        "csr": scipy.sparse.csr_matrix(VALUES),
        "csc": scipy.sparse.csc_matrix(VALUES),
        "csr_float32": scipy.sparse.csr_matrix(VALUES.astype(np.float32)),
    }.items():
        data = anndata.AnnData(x, obs=obs, var=var, layers={"doubled": x * 2})
        data.write_h5ad(FOLDER / f"{kind}.h5ad", compression="gzip" if kind == "csr" else None)


def make_10x():
    matrix = scipy.sparse.csc_matrix(VALUES.T)  # features times cells
    ids = [f"ENSG{r}" for r in range(4)]
    with h5py.File(FOLDER / "10x.h5", "w") as file:
        group = file.create_group("matrix")
        group["data"] = matrix.data
        group["indices"] = matrix.indices.astype(np.int64)
        group["indptr"] = matrix.indptr.astype(np.int64)
        group["shape"] = np.array(matrix.shape, dtype=np.int32)
        group["barcodes"] = np.array(IDS, dtype="S")
        group["features/id"] = np.array(ids, dtype="S")
        group["features/name"] = np.array(NAMES, dtype="S")
        group["features/feature_type"] = np.array(["Gene Expression"] * 4, dtype="S")


def make_npz():
    known = {
        "feature_names": np.array(NAMES),
        "sample_ids": np.array(IDS),
        "y": np.array([name or "" for name in CLASSES]),
    }
    np.savez(FOLDER / "numpy.npz", X=VALUES, **known)
    np.savez_compressed(FOLDER / "compressed.npz", np.asfortranarray(VALUES), known["y"])
    for kind in ("csr", "csc", "coo"):
        scipy.sparse.save_npz(
            FOLDER / f"{kind}.npz",
            scipy.sparse.coo_array(VALUES).asformat(kind),
            compressed=kind == "csr",
        )


if __name__ == "__main__":
    table = make_table()
    make_xlsx(table)
    make_h5ad()
    make_10x()
    make_npz()
