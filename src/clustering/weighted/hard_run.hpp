#pragma once

#include <span>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"

namespace tamis {

/// Of the rows of each cluster.
struct ClusterMoments {
  std::vector<double> counts = {};
  std::vector<double> means = {};            ///< clusters x columns; of empty ones anything
  std::vector<double> log_dispersions = {};  ///< likewise, about the mean; -infinity: none
};

/// One run of l2gfs: each step places every row, then moves centroids and the weights of each
/// cluster.
class HardRun {
 public:
  HardRun(const ClusterSetting& setting, ClusterStart start);

  ClusterIteration step();

  /// The same where others look at rows without links: the setting has none. First the clusters of
  /// the rows with links follow from now(), then centroids and weights from all rows.
  std::vector<Index> linked_clusters() const;
  /// @param changed rows of all
  ClusterIteration step(std::vector<Index> linked, Index changed, const ClusterMoments& moments);
  const ClusterStart& now() const { return now_; }

  const std::vector<double>& centroids() const { return now_.centroids; }
  const std::vector<double>& weights() const { return now_.weights; }
  const std::vector<Index>& clusters() const { return clusters_; }

 private:
  template <class T>
  std::vector<Index> nearest_of_free_rows() const;
  /// Finds the nearest of the given rows in double.
  void measure_again(std::span<const Index> rows, std::vector<Index>& clusters) const;
  void place_linked_rows(std::vector<Index>& clusters) const;
  ClusterIteration moved(Index changed, const ClusterMoments& moments);
  ClusterMoments moments() const;
  /// Moves centroids and weights; returns sum_q sum_j w_qj^beta D_qj.
  double update(const ClusterMoments& moments);
  double update_cluster(Index cluster, std::span<const double> log_dispersions);

  const ClusterSetting& setting_;
  ClusterStart now_;
  std::vector<Index> clusters_;
};

}  // namespace tamis
