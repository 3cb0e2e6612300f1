#pragma once

#include <functional>

#include "clustering/links.hpp"
#include "clustering/nearest_center.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// What the clusterings of the k-means family differ in.
struct LloydSteps {
  /// Puts every row into a cluster, given centroids and weights; returns the objective.
  std::function<double(Clustering&)> place_rows;
  /// Makes centroids (and weights) from the clusters.
  std::function<void(Clustering&)> update;
};

/// One run: places the rows, then updates and places them again until no row changes its cluster or
/// max_iter updates are done. Tells the trace.
Clustering lloyd(const Problem& problem, const Links& links, Index restart, ClusterStart start,
                 Index max_iter, const LloydSteps& steps, const Trace& trace);

/// Rows that are in another cluster than before.
Index count_changes(std::span<const Index> before, std::span<const Index> after);

/// The result of the smallest objective, ties to the first run, without the runs that have none;
/// nothing if no run has one. Tells the progress.
std::optional<Clustering> best_run(const ClustererInfo& clusterer, Index n_runs,
                                   const std::function<std::optional<Clustering>(Index)>& restart,
                                   const Progress& progress);

/// Each row to its nearest centroid, ties to the lower; returns the sum of their squared distances.
double place_at_nearest(const MatrixView& x, Clustering& clustering);

/// The same, but rows of group g go to group_clusters[g] unless that is kNoCluster. `nearest` is
/// what nearest_centers() says of all rows.
double place_with_groups(const MatrixView& x, const Links& links,
                         std::span<const Index> group_clusters, NearestCenters nearest,
                         Clustering& clustering);

/// Each centroid to the mean of its rows.
void move_to_means(const MatrixView& x, Clustering& clustering);

/// The given order, or rows as they come.
std::vector<Index> order_of(const ClusterGiven& given, Index n_rows);

}  // namespace tamis
