#pragma once

#include <optional>

#include "clustering/kmeans/class_start.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

struct ConstrainedKmeansOptions {
  std::optional<Index> n_clusters = std::nullopt;
  Index restarts = 10;
  Index max_iter = 100;

  static constexpr ClustererInfo info{
      .name = "constrained_kmeans",
      .title = "Constrained k-means",
      .reference = "Basu, Banerjee, Mooney, Semi-supervised clustering by seeding, ICML 2002",
      .hard_pairs_only = true,
      .streams = true};
  static constexpr auto fields() { return class_start_fields<ConstrainedKmeansOptions>(); }
};

/// k-means that begins at the means of the labeled classes and keeps labeled rows in the clusters
/// of their classes; each other row is at its nearest centroid. Of the constraints only those
/// between rows without a label can be broken, and those of such a row and a labeled one.
///
/// Rows that must-links join to a labeled row count as labeled. Cluster q is that of the q-th
/// labeled class, in the order of the labels; if there are more clusters, their first centroids are
/// drawn like those of k-means++ from the other rows, restart r from stream r of the problem's
/// seed. Ties to the lower cluster; an empty cluster keeps its centroid; the objective is the sum
/// of the squared distances of rows and their centroids.
///
/// Without chance if each cluster has a class; the result does not depend on the number of threads.
/// O(restarts x iterations x rows x clusters x columns); memory for a few numbers per row and the
/// centroids.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer clusters than labeled classes, fewer rows than clusters, no label
/// and no number of clusters, labels and pairs that contradict, or if what is given does not fit
Clustering constrained_kmeans(const Problem& problem, const ConstrainedKmeansOptions& options = {},
                              const ClusterGiven& given = {}, const Run& run = {});

/// What it is among its relatives. @throws InvalidArgument if an option is out of range
KmeansPlan plan_of(const ConstrainedKmeansOptions& options);

}  // namespace tamis
