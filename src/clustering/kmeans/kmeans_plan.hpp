#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clustering/kmeans/cluster_start.hpp"
#include "clustering/links.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// What labeled classes are to k-means: nothing, where it begins, or where their rows also stay.
enum class ClassUse { none, start, binding };

/// What tells k-means and its seeded and constrained variants apart.
struct KmeansPlan {
  ClustererInfo info;
  std::optional<Index> n_clusters = std::nullopt;
  KmeansStart start = KmeansStart::plus_plus;
  Index restarts = 1;
  Index max_iter = 1;
  ClassUse classes = ClassUse::none;
};

/// What is settled before the first value is looked at.
struct KmeansSetting {
  Index n_clusters;
  Links links;
  std::vector<std::string> warnings;

  /// Classes whose means are the first centroids.
  Index n_seeds(const KmeansPlan& plan) const {
    return plan.classes == ClassUse::none ? 0 : links.n_classes();
  }
  /// Whether further centroids may begin at a row.
  bool is_free(const KmeansPlan& plan, Index row) const {
    return plan.classes == ClassUse::none || !links.has_class(row);
  }
};
/// @throws DataError as the clusterings say
KmeansSetting settle(const KmeansPlan& plan, const Knowledge& known, Index n_rows, Index n_cols,
                     const ClusterGiven& given);

/// k-means from the mean of each class that counts, with the rows that must-links add to it, and
/// from further centroids drawn among the rows that are free.
/// @throws DataError as its callers say
Clustering cluster_by_means(const Problem& problem, const KmeansPlan& plan,
                            const ClusterGiven& given, const Run& run);

}  // namespace tamis
