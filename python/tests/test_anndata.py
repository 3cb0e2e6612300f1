"""With anndata where it is installed, else with an object of the same members."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import tamis
from scipy import sparse


def annotated(x, obs, names):
    obs = pd.DataFrame(obs, index=[f"cell{i}" for i in range(len(x))])
    var = pd.DataFrame(index=names)
    try:
        from anndata import AnnData
    except ImportError:
        layers = {"dense": x}
        return SimpleNamespace(
            X=sparse.csr_matrix(x), obs=obs, var=var, uns={}, layers=layers, n_obs=len(x),
            var_names=var.index,
        )  # fmt: skip
    return AnnData(sparse.csr_matrix(x), obs=obs, var=var, layers={"dense": x})


@pytest.fixture
def adata(mostly_zero):
    x, y = mostly_zero
    obs = {
        "cell_type": pd.Categorical(np.array(["a", "b", "c", "Unknown"])[y]),
        "batch": np.array(["one", "two"])[np.arange(80) % 2],
    }
    return annotated(x, obs, [f"gene{c}" for c in range(25)])


known = {"labels_key": "cell_type", "unlabeled_category": "Unknown"}


def test_marks_exactly_the_genes_asked_for(adata, mostly_zero):
    assert tamis.pp.select_features(adata, **known, n_top_genes=4, random_state=0) is None
    expected = tamis.rank(sparse.csr_array(mostly_zero[0]), mostly_zero[1], random_state=0)
    assert adata.var["tamis_selected"].sum() == 4
    assert set(np.flatnonzero(adata.var["tamis_selected"])) == set(expected.order[:4])
    assert adata.var["tamis_rank"].tolist() == expected.ranks.tolist()
    np.testing.assert_array_equal(adata.var["tamis_score"], expected.scores)
    assert adata.uns["tamis"]["method"] == "ridge_omp"
    assert adata.uns["tamis"]["options"]["n_greedy"] == 50


def test_returns_a_table_and_leaves_the_object_alone(adata):
    table = tamis.pp.select_features(adata, **known, layer="dense", n_top_genes=3, inplace=False)
    assert table["tamis_selected"].sum() == 3
    assert table.index.tolist() == list(adata.var_names)
    assert "tamis" not in adata.uns and "tamis_rank" not in adata.var


def test_batches_are_ranked_apart(adata, mostly_zero):
    table = tamis.pp.select_features(
        adata, **known, batch_key="batch", n_top_genes=5, inplace=False, fdr=1
    )
    x, y = mostly_zero
    ranks = [tamis.rank(sparse.csr_array(x[b::2]), y[b::2], fdr=1).ranks for b in (0, 1)]
    np.testing.assert_allclose(table["tamis_score"], np.mean(ranks, axis=0))
    assert table["tamis_selected"].sum() == 5
    assert table.loc[table["tamis_selected"], "tamis_rank"].max() == 5


def test_names_a_column_that_is_missing(adata):
    with pytest.raises(
        ValueError, match=r"adata\.obs has no column 'type'; it has cell_type, batch"
    ):
        tamis.pp.select_features(adata, labels_key="type")
    with pytest.raises(ValueError, match="n_top_genes = 0 is not positive"):
        tamis.pp.select_features(adata, n_top_genes=0)
