"""What a user would pick instead, under the conditions of the benchmark: selectors of scikit-learn.

They compete through `tamis.evaluate`, so the Python package must be installed.
"""

import pandas as pd
import tamis
from scipy import io, sparse
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectKBest, mutual_info_classif

TREE_PEERS = [ExtraTreesClassifier(), RandomForestClassifier()]
MUTUAL_INFORMATION_PEER = (mutual_info_classif.__name__, SelectKBest(mutual_info_classif))


def read_table(path):
    """Table and classes, as the program reads them."""
    if path.suffix == ".csv":
        table = pd.read_csv(path)
        return table.iloc[:, :-1].to_numpy(dtype=float), table.iloc[:, -1].to_numpy()
    content = io.loadmat(path)
    X = content["X"]
    return X if sparse.issparse(X) else X.astype(float), content["Y"].ravel()


def evaluate(paths, peers, output, **settings):
    """Runs them, or goes on where an earlier run was interrupted."""
    tables = {path.stem: read_table(path) for path in paths}
    tamis.evaluate(tables, peers, unlabeled=None, n_jobs=1, output=output, **settings)
