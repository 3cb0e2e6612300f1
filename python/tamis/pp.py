"""Feature selection on AnnData objects, in the manner of scanpy's preprocessing."""

from numbers import Real
from typing import Any

import numpy as np

from tamis._labels import encode_labels, refuse_absent
from tamis._ranking import rank
from tamis.constraints import Constraints

__all__ = ["select_features"]

_DEFAULT_GENES = 2000


def select_features(
    adata: Any,
    *,
    method: Any = "auto",
    labels_key: str | None = None,
    unlabeled_category: str | None = None,
    layer: str | None = None,
    n_top_genes: int | float | str | None = _DEFAULT_GENES,
    top: int | float | str | None = None,
    batch_key: str | None = None,
    constraints: Constraints | None = None,
    key_added: str = "tamis",
    subset: bool = False,
    inplace: bool = True,
    random_state: Any = 0,
    n_jobs: int | None = None,
    **options: Any,
) -> Any:
    """Mark the best genes of an AnnData object: those of ``tamis.rank(..., top=n_top_genes)``.

    'auto' lists all genes that have to do with the labels or with other genes before any other one,
    so that hundreds or thousands of genes may be asked for; those that add most to the ones before
    them come first.

    Parameters
    ----------
    adata : AnnData
        Cells in rows, genes in columns.
    method : str or selector, default='auto'
        What scanpy calls a flavor: a name of `tamis.methods`, or a selector; 'auto' is 'ridge_omp'.
    labels_key : str or None
        Column of ``adata.obs`` with the classes. None: no labels.
    unlabeled_category : str or None
        The class of that column which means "not known"; missing values always do.
    layer : str or None
        Layer to rank on. None: ``adata.X``.
    n_top_genes : int, 'auto', 'relevant', '5%' or None, default=2000
        Exactly so many genes are marked, if there are so many. None: 'relevant', all genes that
        have to do with what is known; 'auto': those that add what chance would not.
    top : int, 'auto', 'relevant', '5%' or None
        Another name of `n_top_genes`, that of `tamis.rank`.
    batch_key : str or None
        Column of ``adata.obs``: rank within each batch, and order the genes by their mean rank.
    constraints : Constraints or None
        Pairs of cells by their names, ``adata.obs_names``.
    key_added : str, default='tamis'
        First word of the columns, and name in ``adata.uns``.
    subset : bool, default=False
        Keep the marked genes alone: of `adata`, or of the table if not `inplace`.
    inplace : bool, default=True
        Write into `adata`; otherwise return the table.
    random_state, n_jobs, **options
        As in `tamis.rank`, with `memory` of a backed object.

    Returns
    -------
    None or DataFrame
        With columns ``tamis_selected``, ``tamis_rank`` (1 is the best) and ``tamis_score`` (of
        batches: the mean rank). In place they are written to ``adata.var``, and what was run to
        ``adata.uns["tamis"]``.
    """
    _refuse_other_than_annotated(adata)
    wanted = _wanted(n_top_genes, top, batch_key)
    x = adata.X if layer is None else _layer(adata, layer)
    labels = _labels(adata, labels_key, unlabeled_category)
    whole = {"random_state": random_state, "n_jobs": n_jobs, **options}
    names = {"feature_names": adata.var_names, "sample_ids": adata.obs_names}
    if batch_key is None:
        rankings = [rank(x, labels, method, top=wanted, constraints=constraints, **names, **whole)]
    else:
        rankings = [
            _of_batch(adata, x, labels, method, batch_key, name, rows, constraints, whole)
            for name, rows in _batches(adata, batch_key)
        ]
    table = _annotation(rankings, wanted, adata.var_names, key_added)
    selected = table[f"{key_added}_selected"].to_numpy()
    if not inplace:
        return table[selected] if subset else table
    for name in table.columns:
        adata.var[name] = table[name]
    adata.uns[key_added] = _what_was_run(
        rankings,
        labels_key=labels_key,
        unlabeled_category=unlabeled_category,
        layer=layer,
        batch_key=batch_key,
        n_must_links=None if constraints is None else len(constraints.must_link),
        n_cannot_links=None if constraints is None else len(constraints.cannot_link),
        missing=options.get("missing"),
        n_top_genes=wanted,
        n_selected=int(selected.sum()),
        subset=subset,
    )
    if subset:
        adata._inplace_subset_var(selected)
    return None


def _refuse_other_than_annotated(adata):
    if not all(hasattr(adata, name) for name in ("X", "obs", "var", "uns")):
        raise TypeError(
            f"adata is a {type(adata).__name__}, not an AnnData object: tamis.rank takes other "
            "tables"
        )


def _wanted(n_top_genes, top, batch_key):
    """How many genes are asked for, in the words of `tamis.rank`."""
    if top is not None and n_top_genes != _DEFAULT_GENES:
        raise ValueError(f"n_top_genes = {n_top_genes!r} and top = {top!r} are one thing: pass one")
    name, wanted = ("n_top_genes", n_top_genes) if top is None else ("top", top)
    if wanted is None:
        wanted = "relevant"
    if isinstance(wanted, Real) and not isinstance(wanted, bool) and wanted == int(wanted):
        wanted = int(wanted)
    if isinstance(wanted, str):
        if batch_key is not None and not wanted.endswith("%"):
            raise ValueError(
                f"{name} = {wanted!r} is a judgement of one ranking, and batch_key makes several: "
                "say how many genes you want"
            )
    elif not isinstance(wanted, int) or wanted < 1:
        raise ValueError(f"{name} = {wanted!r} is no number of genes: use an integer from 1")
    return wanted


def _layer(adata, name):
    if name not in adata.layers:
        there = ", ".join(adata.layers) or "none"
        raise ValueError(f"adata has no layer {name!r}; it has {there}")
    return adata.layers[name]


def _labels(adata, key, unlabeled_category):
    """The classes by number, -1 where they are not known; None without a key."""
    if key is None:
        if unlabeled_category is not None:
            raise ValueError("unlabeled_category says nothing without labels_key")
        return None
    column = _column(adata.obs, key)
    if unlabeled_category is not None:
        values = column.dropna().unique().tolist()
        refuse_absent("unlabeled_category", unlabeled_category, values, f"adata.obs[{key!r}]")
    unlabeled = "auto" if unlabeled_category is None else unlabeled_category
    labels = encode_labels(column, adata.n_obs, unlabeled)
    return np.array([*labels.names, None], dtype=object)[labels.codes]


def _of_batch(adata, x, labels, method, key, name, rows, constraints, whole):
    ids = adata.obs_names[rows]
    try:
        return rank(
            x[rows],
            None if labels is None else labels[rows],
            method,
            constraints=None if constraints is None else constraints.within(ids),
            feature_names=adata.var_names,
            sample_ids=ids,
            **whole,
        )
    except (ValueError, RuntimeError) as error:
        raise type(error)(f"batch {name!r} of adata.obs[{key!r}]: {error}") from error


def _annotation(rankings, wanted, genes, key):
    """The columns for adata.var."""
    import pandas as pd

    scores, order = _combined(rankings)
    chosen = rankings[0].columns() if len(rankings) == 1 else order[: _count(wanted, len(order))]
    places = np.arange(len(order))
    ranks = np.empty_like(places)
    ranks[order] = places + 1
    return pd.DataFrame(
        {
            f"{key}_selected": np.isin(places, chosen),
            f"{key}_rank": ranks,
            f"{key}_score": scores,
        },
        index=genes,
    )


def _count(wanted, n_genes):
    if isinstance(wanted, int):
        return wanted
    return int(np.ceil(float(wanted.rstrip("%")) / 100 * n_genes))


def _what_was_run(rankings, **parameters):
    """Plain values that h5ad files can hold: what is None is left out."""
    first = rankings[0]
    found = {
        "method": first.method,
        "options": first.options,
        "bagging": first.bagging,
        "diversify": first.diversify,
        "seed": first.seed,
        "better": first.better if len(rankings) == 1 else "lower",
        **parameters,
    }
    return {name: value for name, value in found.items() if value is not None}


def _column(obs, key):
    if key not in obs.columns:
        raise ValueError(f"adata.obs has no column {key!r}; it has {', '.join(obs.columns)}")
    return obs[key]


def _batches(adata, batch_key):
    """The name and the rows of each batch, in order of their names."""
    column = _column(adata.obs, batch_key)
    missing = int(column.isna().sum())
    if missing:
        raise ValueError(
            f"{missing} cells have no batch in adata.obs[{batch_key!r}]: give them one, or leave "
            "them out"
        )
    batch = np.asarray(column.astype(str))
    return [(str(name), np.flatnonzero(batch == name)) for name in np.unique(batch)]


def _combined(rankings):
    """Scores and order: of one ranking its own, of several the mean rank; ties by column."""
    if len(rankings) == 1:
        return rankings[0].scores, rankings[0].order
    mean = np.mean([ranking.ranks for ranking in rankings], axis=0)
    return mean, np.argsort(mean, kind="stable")
