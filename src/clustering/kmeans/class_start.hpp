#pragma once

#include <functional>
#include <optional>

#include "clustering/links.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// What clusterings that begin at the means of classes are told, and how they place rows.
struct SeededPlan {
  ClustererInfo info;
  std::optional<Index> n_clusters;
  Index restarts;
  Index max_iter;
  /// As in LloydSteps.
  std::function<double(const Links&, Clustering&)> place_rows;
};

/// k-means from the mean of each class, with the rows that must-links add to it, and from further
/// centroids drawn like those of k-means++ among the rows without a class.
/// @throws DataError as its callers say
Clustering cluster_from_classes(const Problem& problem, const SeededPlan& plan,
                                const ClusterGiven& given, const Run& run);

}  // namespace tamis
