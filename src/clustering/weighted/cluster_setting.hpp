#pragma once

#include <span>
#include <vector>

#include "clustering/links.hpp"
#include "clustering/weighted/row_group.hpp"
#include "tamis/clustering/clustering.hpp"
#include "tamis/core/method.hpp"

namespace tamis {

/// What all runs of a weighted k-means on a problem have in common.
struct ClusterSetting {
  /// `order`: of all rows, in which those with links are placed; empty: as they come.
  ClusterSetting(const Problem& problem, Index n_clusters, double beta,
                 std::span<const Index> order, const Run& run);
  /// The same of some rows of a larger table, whose units are known.
  ClusterSetting(const Problem& problem, Index n_clusters, double beta,
                 std::span<const Index> order, const Run& run, ColumnUnits units);

  const Problem& problem;
  const Run& run;
  Index n_clusters;
  double beta;
  ColumnUnits units;
  Links links;
  std::vector<Index> linked;   ///< rows with links, in the order in which they are placed
  std::vector<Index> free;     ///< the others
  bool learns_weights = true;  ///< or leaves them alike
};

/// Distances of rows from centers, rows x clusters, in double.
std::vector<double> row_distances(const ClusterSetting& setting, std::span<const Index> rows,
                                  const ScaledCenters<double>& centers);

}  // namespace tamis
