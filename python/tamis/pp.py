"""Feature selection on AnnData objects, in the manner of scanpy's preprocessing."""

import numpy as np

from tamis._ranking import rank


def select_features(
    adata,
    *,
    method="auto",
    labels_key=None,
    unlabeled_category=None,
    layer=None,
    n_top_genes=2000,
    batch_key=None,
    inplace=True,
    random_state=0,
    n_jobs=None,
    **options,
):
    """Mark the best genes of an AnnData object.

    Parameters
    ----------
    adata : AnnData
        Cells in rows, genes in columns.
    method : str, default='auto'
        A name of `tamis.methods`; 'auto' is 'ridge_omp'.
    labels_key : str or None
        Column of ``adata.obs`` with the classes. None: no labels.
    unlabeled_category : str or None
        The class of that column which means "not known"; missing values always do.
    layer : str or None
        Layer to rank on. None: ``adata.X``.
    n_top_genes : int, default=2000
        Exactly so many genes are marked, if there are so many.
    batch_key : str or None
        Column of ``adata.obs``: rank within each batch, and order the genes by their mean rank.
    inplace : bool, default=True
        Write into `adata`; otherwise return the table.
    random_state, n_jobs, **options
        As in `tamis.rank`.

    Returns
    -------
    None or DataFrame
        With columns ``tamis_selected``, ``tamis_rank`` (1 is the best) and ``tamis_score`` (of
        batches: the mean rank). In place they are written to ``adata.var``, and what was run to
        ``adata.uns["tamis"]``.
    """
    if n_top_genes < 1:
        raise ValueError(f"n_top_genes = {n_top_genes} is not positive")
    x = adata.X if layer is None else adata.layers[layer]
    labels = None if labels_key is None else np.asarray(_column(adata.obs, labels_key), object)
    rankings = [
        rank(
            x[rows],
            None if labels is None else labels[rows],
            method,
            feature_names=adata.var_names,
            unlabeled="auto" if unlabeled_category is None else unlabeled_category,
            random_state=random_state,
            n_jobs=n_jobs,
            **options,
        )
        for rows in _batches(adata, batch_key)
    ]
    table = _annotation(rankings, n_top_genes, adata.var_names)
    if not inplace:
        return table
    for name in table.columns:
        adata.var[name] = table[name]
    adata.uns["tamis"] = {
        "method": rankings[0].method,
        "options": rankings[0].options,
        "seed": rankings[0].seed,
        "better": rankings[0].better if len(rankings) == 1 else "lower",
        "labels_key": labels_key or "",
        "layer": layer or "",
        "batch_key": batch_key or "",
        "n_top_genes": n_top_genes,
    }
    return None


def _annotation(rankings, n_top_genes, genes):
    """The columns for adata.var."""
    import pandas as pd

    scores, order = _combined(rankings)
    chosen = rankings[0].columns(n_top_genes) if len(rankings) == 1 else order[:n_top_genes]
    places = np.arange(len(order))
    ranks = np.empty_like(places)
    ranks[order] = places + 1
    return pd.DataFrame(
        {
            "tamis_selected": np.isin(places, chosen),
            "tamis_rank": ranks,
            "tamis_score": scores,
        },
        index=genes,
    )


def _column(obs, key):
    if key not in obs.columns:
        raise ValueError(f"adata.obs has no column {key!r}; it has {', '.join(obs.columns)}")
    return obs[key]


def _batches(adata, batch_key):
    """The rows of each batch, in order of their names; all rows if there are no batches."""
    if batch_key is None:
        return [np.arange(adata.n_obs)]
    batch = np.asarray(_column(adata.obs, batch_key).astype(str))
    return [np.flatnonzero(batch == name) for name in np.unique(batch)]


def _combined(rankings):
    """Scores and order: of one ranking its own, of several the mean rank; ties by column."""
    if len(rankings) == 1:
        return rankings[0].scores, rankings[0].order
    mean = np.mean([ranking.ranks for ranking in rankings], axis=0)
    return mean, np.argsort(mean, kind="stable")
