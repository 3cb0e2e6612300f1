#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/method.hpp"

namespace tamis {

/// What is settled of a weighted k-means before the first value is looked at.
struct WeightedPlan {
  MethodInfo method;
  ClustererInfo clusterer;
  double beta = 0.0;
  Index restarts = 1;
  bool learns_weights = true;
  Index n_clusters = 0;
  std::vector<std::string> warnings = {};

  bool has_local_weights() const { return clusterer.learns == Learns::weights_of_clusters; }
};

/// Counts the clusters and checks the rest.
/// @throws InvalidArgument or DataError as the methods say
void settle(WeightedPlan& plan, const Knowledge& known, Index n_rows, Index n_cols,
            std::optional<Index> n_clusters, const ClusterGiven& given);

/// Where a run begins: as given, with a weight for each column or for each cluster and column, or
/// at random: distinct rows of a table as centroids and positive weights that sum to 1, all from
/// stream `number` of the seed. Weights that are not learned, or not given, are alike.
/// @throws DataError for weights, or those of each cluster, where they are not wanted
ClusterStart start_of_run(const WeightedPlan& plan, const ClusterGiven& given,
                          const MatrixView& rows, std::uint64_t seed, Index number);

}  // namespace tamis
