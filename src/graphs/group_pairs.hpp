#pragma once

#include <span>
#include <vector>

#include "graphs/graph.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// exp(-d^2 / t), or 1.
struct PairWeight {
  Kernel kernel = Kernel::heat;
  double t = 1.0;

  double operator()(double squared_distance) const;
};

/// What a score needs of all pairs of rows that share a cluster.
struct ClusterPairSums {
  std::vector<double> differences = {};  ///< of each column: sum of w_ij (x_ir - x_jr)^2
  std::vector<double> degrees = {};      ///< of each row: sum of w_ij, left out pairs included
  double weight = 0.0;                   ///< sum of w_ij
  double squared_weight = 0.0;
};

/// Sums over all pairs of rows in the same cluster, without those in `left_out` (each once; they
/// count in the degrees alone). O(pairs x columns) time, in blocks: no pair is stored. The same for
/// any number of threads.
ClusterPairSums sum_cluster_pairs(const MatrixView& x, std::span<const Index> clusters,
                                  const PairWeight& weight, std::span<const RowPair> left_out,
                                  const Progress& progress);

/// How many pairs of rows share a cluster.
Index count_cluster_pairs(std::span<const Index> clusters);

/// The mean squared distance of the pairs that share a cluster, without visiting them; 0 if there
/// are none.
double mean_cluster_distance(const MatrixView& x, std::span<const Index> clusters);

}  // namespace tamis
