"""What the package knows, for tests over all of it."""

import tamis


def _classes(module):
    return {
        value._method: value
        for value in vars(module).values()
        if isinstance(value, type) and hasattr(value, "_method")
    }


METHODS = [method["name"] for method in tamis.methods()]
ESTIMATORS = _classes(tamis)
CLUSTERINGS = [clustering["name"] for clustering in tamis.cluster.clusterings()]
CLUSTERERS = _classes(tamis.cluster)
PROJECTIONS = [projection["name"] for projection in tamis.projections.projections()]
PROJECTORS = _classes(tamis.projections)


def expected_failures(estimator):
    """These checks ask for one or two clusters of rows labeled in three classes: a contradiction
    that the core refuses by name. Plain k-means does not look at labels and passes."""
    if estimator._method == "som":
        checks = ("check_clustering", "check_clustering(readonly_memmap=True)")
        return dict.fromkeys(checks, "a map has more units than there are clusters")
    if not hasattr(estimator, "n_clusters") or estimator._method == "kmeans":
        return {}
    reason = "rows of different classes cannot share a cluster"
    checks = (
        "check_dont_overwrite_parameters",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_fit2d_1feature",
        "check_fit2d_predict1d",
    )
    return dict.fromkeys(checks, reason)
