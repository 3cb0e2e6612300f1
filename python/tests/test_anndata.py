"""With anndata, and scanpy where it is: ./test has environments for them, as they need pandas 2."""

import re

import numpy as np
import pandas as pd
import pytest
import tamis
from scipy import sparse

anndata = pytest.importorskip("anndata")


def annotated(x, obs, names):
    obs = pd.DataFrame(obs, index=[f"cell{i}" for i in range(len(x))])
    var = pd.DataFrame(index=names)
    return anndata.AnnData(X=sparse.csr_matrix(x), obs=obs, var=var, layers={"dense": x})


@pytest.fixture
def adata(mostly_zero):
    x, y = mostly_zero
    obs = {
        "cell_type": pd.Categorical(np.array(["a", "b", "c", "Unknown"])[y]),
        "batch": np.array(["one", "two"])[np.arange(80) % 2],
    }
    return annotated(x, obs, [f"gene{c}" for c in range(25)])


known = {"labels_key": "cell_type", "unlabeled_category": "Unknown"}


def test_marks_the_genes_of_the_function(adata, mostly_zero):
    assert tamis.pp.select_features(adata, **known, n_top_genes=4, random_state=0) is None
    x, y = mostly_zero
    expected = tamis.rank(sparse.csr_array(x), y, top=4, random_state=0)
    assert adata.var["tamis_selected"].sum() == 4
    assert set(np.flatnonzero(adata.var["tamis_selected"])) == set(expected.selected)
    assert adata.var["tamis_rank"].tolist() == expected.ranks.tolist()
    np.testing.assert_array_equal(adata.var["tamis_score"], expected.scores)
    run = adata.uns["tamis"]
    assert run["options"] == expected.options and run["seed"] == 0
    told = {"method": "ridge_omp", "better": "higher", **known, "n_top_genes": 4, "n_selected": 4}
    assert told.items() <= run.items()
    assert run["subset"] is False and "layer" not in run and "batch_key" not in run


@pytest.mark.parametrize("wanted", [7, "relevant", "auto", "12%"])
def test_every_number_of_genes_is_that_of_the_function(wanted, adata, mostly_zero):
    x, y = mostly_zero
    expected = tamis.rank(sparse.csr_array(x), y, top=wanted, random_state=0).selected
    for name in ("top", "n_top_genes"):
        words = {**known, name: wanted, "inplace": False}
        table = tamis.pp.select_features(adata, **words)
        assert set(np.flatnonzero(table["tamis_selected"])) == set(expected)


def test_numbers_may_be_floats_and_none_means_all_relevant_genes(adata):
    def count(wanted):
        words = {**known, "n_top_genes": wanted, "inplace": False}
        return tamis.pp.select_features(adata, **words)["tamis_selected"].sum()

    assert count(8.0) == 8 and count(None) == count("relevant")


def test_hundreds_of_genes_hold_all_relevant_ones():
    """Those that add most come first, then all others that have to do with the classes."""
    random = np.random.default_rng(0)
    y = np.arange(120) % 3
    x = random.normal(size=(120, 1500))
    x[:, :150] += random.normal(size=(3, 150))[y] * 1.5
    adata = annotated(x, {"cell_type": y.astype(str)}, [f"gene{c}" for c in range(1500)])
    tamis.pp.select_features(adata, labels_key="cell_type", layer="dense", n_top_genes=200)
    relevant = tamis.rank(x, y, top="relevant", random_state=0).selected
    selected = set(np.flatnonzero(adata.var["tamis_selected"]))
    assert set(relevant) <= selected and len(selected) == 200
    assert len(selected & set(range(150))) >= 130


def test_keeps_the_marked_genes_alone(adata):
    words = {**known, "n_top_genes": 3, "key_added": "few", "subset": True}
    table = tamis.pp.select_features(adata.copy(), **words, inplace=False)
    tamis.pp.select_features(adata, **words)
    assert adata.n_vars == 3 and adata.var["few_selected"].all()
    assert table.index.tolist() == adata.var_names.tolist()
    assert adata.uns["few"]["n_selected"] == 3 and "tamis" not in adata.uns


def test_returns_a_table_and_leaves_the_object_alone(adata):
    table = tamis.pp.select_features(adata, **known, layer="dense", n_top_genes=3, inplace=False)
    assert table["tamis_selected"].sum() == 3
    assert table.index.tolist() == list(adata.var_names)
    assert "tamis" not in adata.uns and "tamis_rank" not in adata.var


def test_any_method_and_what_goes_around_it(adata, mostly_zero):
    x, y = mostly_zero
    words = {**known, "n_top_genes": 5, "inplace": False}
    expected = tamis.rank(sparse.csr_array(x), y, method="cls", n_neighbors=4, random_state=0)
    for method, options in (("cls", {"n_neighbors": 4}), (tamis.CLS(n_neighbors=4), {})):
        table = tamis.pp.select_features(adata, **words, method=method, **options)
        np.testing.assert_array_equal(table["tamis_score"], expected.scores)
    tamis.pp.select_features(adata, **known, n_top_genes=5, method="fisher_score", bagging=10)
    assert adata.uns["tamis"]["bagging"]["n_members"] == 10


def test_pairs_call_cells_by_their_names(adata, mostly_zero):
    pairs = [("cell20", "cell23"), ("cell21", "cell24")], [("cell20", "cell21")]
    words = {"method": "constraint_score", "n_top_genes": 5, "inplace": False}
    table = tamis.pp.select_features(adata, **words, constraints=tamis.Constraints(*pairs))
    by_row = tamis.Constraints.by_row([(20, 23), (21, 24)], [(20, 21)], n_rows=80)
    expected = tamis.rank(mostly_zero[0], method="constraint_score", constraints=by_row)
    np.testing.assert_allclose(table["tamis_score"], expected.scores)


def test_batches_are_ranked_apart(adata, mostly_zero):
    table = tamis.pp.select_features(
        adata, **known, batch_key="batch", n_top_genes=5, inplace=False, fdr=1
    )
    x, y = mostly_zero
    ranks = [tamis.rank(sparse.csr_array(x[b::2]), y[b::2], fdr=1).ranks for b in (0, 1)]
    np.testing.assert_allclose(table["tamis_score"], np.mean(ranks, axis=0))
    assert table["tamis_selected"].sum() == 5
    assert table.loc[table["tamis_selected"], "tamis_rank"].max() == 5


def test_a_batch_that_fails_is_named(adata):
    adata.obs.loc[adata.obs["batch"] == "two", "cell_type"] = "a"
    with pytest.raises(
        ValueError, match=r"batch 'two' of adata\.obs\['batch'\]: fisher_score needs"
    ):
        tamis.pp.select_features(adata, **known, method="fisher_score", batch_key="batch")


def test_cells_without_a_batch_are_refused(adata):
    adata.obs.loc[adata.obs_names[:3], "batch"] = None
    with pytest.raises(ValueError, match=r"3 cells have no batch in adata\.obs\['batch'\]"):
        tamis.pp.select_features(adata, **known, batch_key="batch")


def test_does_not_copy_the_table(adata, monkeypatch):
    seen = []
    monkeypatch.setattr(tamis.pp, "rank", lambda x, *_, **__: seen.append(x) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tamis.pp.select_features(adata, **known)
    assert seen[0] is adata.X


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"labels_key": "type"}, "adata.obs has no column 'type'; it has cell_type, batch"),
        ({"layer": "counts"}, "adata has no layer 'counts'; it has dense"),
        ({"n_top_genes": 0}, "n_top_genes = 0 is no number of genes: use an integer from 1"),
        ({"n_top_genes": 2.5}, "n_top_genes = 2.5 is no number of genes: use an integer from 1"),
        ({"n_top_genes": 5, "top": 6}, "n_top_genes = 5 and top = 6 are one thing: pass one"),
        (
            {"n_top_genes": "auto", "batch_key": "batch"},
            "n_top_genes = 'auto' is a judgement of one ranking, and batch_key makes several",
        ),
        (
            {"labels_key": "cell_type", "unlabeled_category": "unknown"},
            "unlabeled_category = 'unknown' is not in adata.obs['cell_type']; did you mean "
            "'Unknown'?",
        ),
        ({"unlabeled_category": "a"}, "unlabeled_category says nothing without labels_key"),
    ],
)
def test_refuses_by_name(words, message, adata):
    with pytest.raises(ValueError, match=re.escape(message)):
        tamis.pp.select_features(adata, **words)


@pytest.mark.parametrize("wanted", [3, "auto", "12%"])
@pytest.mark.parametrize(
    "options", [{}, {"method": "fisher_score", "bagging": 5}, {"diversify": True}]
)
def test_what_was_run_survives_a_file(wanted, options, adata, tmp_path):
    if wanted == "auto" and "bagging" in options:
        pytest.skip("an ensemble does not count")
    tamis.pp.select_features(adata, **known, n_top_genes=wanted, **options)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    pd.testing.assert_frame_equal(again.var, adata.var)
    assert set(again.uns["tamis"]) == set(adata.uns["tamis"])
    assert again.uns["tamis"]["method"] == adata.uns["tamis"]["method"]
    assert set(again.uns["tamis"]["options"]) == set(adata.uns["tamis"]["options"])


def test_a_view_becomes_an_object_of_its_own(adata):
    half = adata[::2, :20]
    with pytest.warns(anndata.ImplicitModificationWarning):
        tamis.pp.select_features(half, **known, n_top_genes=4)
    assert not half.is_view and half.var["tamis_selected"].sum() == 4
    assert "tamis_selected" not in adata.var


def test_a_backed_object_is_read_from_its_file(adata, tmp_path):
    adata.write_h5ad(tmp_path / "cells.h5ad")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    words = {**known, "method": "variance", "n_top_genes": 4, "inplace": False}
    expected = tamis.pp.select_features(adata, **words)
    for memory in (None, "1G"):
        told = {} if memory is None else {"memory": memory}
        pd.testing.assert_frame_equal(tamis.pp.select_features(backed, **words, **told), expected)
    backed.file.close()


def test_pairs_and_what_was_missing_are_told(adata):
    pairs = tamis.Constraints([("cell1", "cell2")], [("cell3", "cell4"), ("cell1", "cell5")])
    words = {"method": "constraint_score", "missing": "median", "n_top_genes": 4}
    tamis.pp.select_features(adata, constraints=pairs, **words)
    run = adata.uns["tamis"]
    assert (run["n_must_links"], run["n_cannot_links"], run["missing"]) == (1, 2, "median")


def test_refuses_what_is_no_annotated_object():
    frame = pd.DataFrame(np.eye(3))
    message = "adata is a DataFrame, not an AnnData object: tamis.rank takes other tables"
    with pytest.raises(TypeError, match=message):
        tamis.pp.select_features(frame)


def test_rank_says_where_objects_are_taken(adata):
    with pytest.raises(TypeError, match=r"X is an AnnData object: call tamis.pp.select_features"):
        tamis.rank(adata, adata.obs["cell_type"])


@pytest.mark.filterwarnings("ignore")  # of what scanpy imports
def test_scanpy_goes_on_with_the_marked_genes(adata):
    scanpy = pytest.importorskip("scanpy")
    scanpy.pp.normalize_total(adata)
    scanpy.pp.log1p(adata)
    tamis.pp.select_features(adata, **known, n_top_genes=6)
    scanpy.pp.pca(adata, n_comps=3, mask_var="tamis_selected")
    assert adata.obsm["X_pca"].shape == (80, 3)
    scanpy.pp.neighbors(adata, n_neighbors=5)
    assert "connectivities" in adata.obsp
