#pragma once

#include <span>
#include <vector>

#include "clustering/kmeans/diagonal_metric.hpp"
#include "clustering/kmeans/mpc_kmeans.hpp"
#include "clustering/links.hpp"

namespace tamis {

/// The two halves of an iteration of MPC k-means.
class MpcSteps {
 public:
  MpcSteps(const Problem& problem, const Links& links, const MpcKmeansOptions& options,
           std::span<const Index> order);

  /// Lowers weights (clusters x columns) to what the floor of the variances allows, and sets those
  /// of constant columns, which only their logarithms would count, to 1.
  void limit(std::span<double> weights) const;

  /// Returns the objective.
  double place_rows(Clustering& clustering) const;
  void update(Clustering& clustering) const;

 private:
  /// Costs of one row in every cluster, and what is needed on the way.
  struct Costs;

  void place_free_rows(Clustering& clustering, std::span<const double> log_dets,
                       std::span<double> own_costs) const;
  void place_linked_rows(Clustering& clustering, std::span<const double> log_dets,
                         std::span<double> own_costs) const;
  void add_penalties(Index row, const Clustering& clustering, Costs& costs) const;
  double broken_penalties(const Clustering& clustering) const;
  void add_broken_sums(const Clustering& clustering, std::span<double> sums) const;

  struct BrokenPair;
  /// Calls visit(BrokenPair) for each broken pair, once.
  template <class Visit>
  void for_each_broken(const Clustering& clustering, const Visit& visit) const;

  const MatrixView& x_;
  const Links& links_;
  double penalty_;
  std::vector<double> squared_ranges_;
  std::vector<double> ceilings_;  // of the weights; 0 for a constant column
  std::vector<Index> free_rows_;
  std::vector<Index> linked_rows_;  // in the order in which they are placed
};

}  // namespace tamis
