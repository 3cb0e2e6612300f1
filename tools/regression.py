#!/usr/bin/env python3
"""Compares what takes numbers to predict on public tables, beside selectors of scikit-learn.

The tables are those that come with Python packages: scikit-learn's, and those inside the wheels of
`pip download --no-deps --dest WHEELS islp==0.6.0 statsmodels==0.14.4 chemotools==0.5.0`. The record
is docs/benchmark/regression.json; tools/generate.py makes the tables of docs/benchmark.md from it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from statistics import fmean

from benchmark import REGRESSION, ROOT

WHEELS = "islp==0.6.0 statsmodels==0.14.4 chemotools==0.5.0"
TOP = (3, 5, 10)  # numbers of features
KNOWN = (30, "all")  # training rows whose value is known
SHUFFLED = 100  # columns that are added: copies of the table's own, each in a random order of rows
DRAWS = 10  # of random features
METHODS = {"ridge_omp": ("--method", "ridge_omp"), "relieff": ("--method", "relieff")}


def csv_in(wheels, package, path):
    """A table inside a wheel."""
    import pandas as pd

    (wheel,) = wheels.glob(f"{package}-*.whl")
    with zipfile.ZipFile(wheel) as archive, archive.open(path) as stream:
        return pd.read_csv(stream)


def numbers_of(frame, target):
    """Columns and target as numbers; words with two values become 0 and 1, unknown rows go."""
    frame = frame.dropna()
    columns = frame.drop(columns=target)
    for name in columns.select_dtypes(exclude="number"):
        columns[name] = (columns[name] == columns[name].iloc[0]).astype(float)
    return columns.to_numpy(dtype=float), frame[target].to_numpy(dtype=float)


def tables(wheels):
    """Each table and its target, by name."""
    from sklearn.datasets import load_diabetes

    def islp(name, target):
        return numbers_of(csv_in(wheels, "islp", f"ISLP/data/{name}.csv"), target)

    schools = csv_in(wheels, "statsmodels", "statsmodels/datasets/star98/star98.csv")
    schools["share"] = schools.pop("PR50M") / schools.pop("MATHTOT")
    spectra, sugar = (
        csv_in(wheels, "chemotools", f"chemotools/datasets/data/train_{what}.csv")
        for what in ("spectra", "hplc")
    )
    return {
        "diabetes": load_diabetes(return_X_y=True),
        "Boston": islp("Boston", "medv"),
        "College": islp("College", "Outstate"),
        "Hitters": islp("Hitters", "Salary"),
        "star98": numbers_of(schools, "share"),
        "fermentation": (spectra.to_numpy(dtype=float), sugar["glucose"].to_numpy(dtype=float)),
    }


def with_shuffled(x, random):
    """The table, and columns that have nothing to do with any other."""
    import numpy as np

    chosen = random.integers(x.shape[1], size=SHUFFLED)
    return np.hstack([x, random.permuted(x[:, chosen], axis=0)])


def program_order(program, options, x, known, y, seed):
    """The columns by a method of the program, best first."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "x.npy", x)
        texts = [
            repr(float(value)) if is_known else "" for value, is_known in zip(y, known, strict=True)
        ]
        (Path(folder) / "y.txt").write_text("".join(f"{text}\n" for text in texts))
        words = [program, "rank", "x.npy", "--labels", "y.txt", "--regression", *options]
        words += ["--seed", str(seed), "--threads", "1", "--json", "--quiet"]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["order"]


def peers(x, y, seed):
    """The columns by selectors of scikit-learn, which see the rows with a value alone."""
    import numpy as np
    from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
    from sklearn.feature_selection import f_regression, mutual_info_regression

    varies = np.ptp(x, axis=0) > 0
    scores = {
        "f_regression": np.where(varies, np.nan_to_num(f_regression(x, y)[0], nan=-1.0), -1.0),
        "mutual_info_regression": mutual_info_regression(x, y, random_state=seed),
    }
    for forest in (ExtraTreesRegressor, RandomForestRegressor):
        scores[forest.__name__] = forest(random_state=seed).fit(x, y).feature_importances_
    return {name: np.argsort(-each, kind="stable") for name, each in scores.items()}


def r_squared(train, y, test, wanted, columns):
    """Of five nearest neighbours on standardised columns, on the test rows."""
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    judge = make_pipeline(StandardScaler(), KNeighborsRegressor(5))
    judge.fit(train[:, columns], y)
    return judge.score(test[:, columns], wanted)


def measured(program, x, y, count, seed):
    """R² of each method, mean over the numbers of features, in one split of one table."""
    import numpy as np

    random = np.random.default_rng(seed)
    x = with_shuffled(x, random) if x.shape[1] < SHUFFLED else x
    rows = random.permutation(len(y))
    train, test = rows[len(y) // 3 :], rows[: len(y) // 3]
    known = train if count == "all" else train[:count]
    is_known = np.isin(train, known)
    orders = {
        name: program_order(program, options, x[train], is_known, y[train], seed)
        for name, options in METHODS.items()
    }
    orders |= peers(x[known], y[known], seed)
    orders["variance"] = np.argsort(-x[train].var(axis=0), kind="stable")

    def judged(columns):
        return r_squared(x[known], y[known], x[test], y[test], columns)

    found = {
        name: fmean(judged(order[:length]) for length in TOP) for name, order in orders.items()
    }
    drawn = [random.permutation(x.shape[1]) for _ in range(DRAWS)]
    found["random"] = fmean(judged(order[:length]) for order in drawn for length in TOP)
    found["all"] = judged(np.arange(x.shape[1]))
    return found


def run(program, wheels, runs):
    """The record: for each table and number of known values, R² of each method in each run."""
    results = []
    for name, (x, y) in tables(wheels).items():
        for count in KNOWN:
            if count != "all" and count >= 2 * len(y) // 3:
                continue
            by_run = [measured(program, x, y, count, seed) for seed in range(runs)]
            methods = {method: [each[method] for each in by_run] for method in by_run[0]}
            results.append({"table": name, "known": count, "r_squared": methods})
            print(name, count, flush=True)
        results[-1] |= {"rows": len(y), "columns": x.shape[1]}
    return {"wheels": WHEELS, "runs": runs, "results": results}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheels", type=Path, help=f"folder with the wheels of {WHEELS}")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    parser.add_argument("--runs", type=int, default=10)
    arguments = parser.parse_args()
    record = run(arguments.program.resolve(), arguments.wheels, arguments.runs)
    (ROOT / REGRESSION).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
