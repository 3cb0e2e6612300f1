#pragma once

#include <span>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"

namespace tamis {

/// One run of l2gfs: each step places every row, then moves centroids and the weights of each
/// cluster.
class HardRun {
 public:
  HardRun(const ClusterSetting& setting, ClusterStart start);

  ClusterIteration step();

  const std::vector<double>& centroids() const { return now_.centroids; }
  const std::vector<double>& weights() const { return now_.weights; }
  const std::vector<Index>& clusters() const { return clusters_; }

 private:
  template <class T>
  std::vector<Index> nearest_of_free_rows() const;
  /// Finds the nearest of the given rows in double.
  void measure_again(std::span<const Index> rows, std::vector<Index>& clusters) const;
  void place_linked_rows(std::vector<Index>& clusters) const;
  /// Moves centroids and weights; returns sum_q sum_j w_qj^beta D_qj.
  double update();
  double update_cluster(Index cluster, const double* reference, double count, const double* first,
                        const double* second);

  const ClusterSetting& setting_;
  ClusterStart now_;
  std::vector<Index> clusters_;
};

}  // namespace tamis
