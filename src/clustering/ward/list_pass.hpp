#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "clustering/ward/agglomerative_clusters.hpp"
#include "clustering/ward/agglomerative_filter.hpp"
#include "clustering/ward/near_list.hpp"

namespace tamis {

/// A cluster that needs a list, or that two will become.
struct Due {
  Index cluster = -1;
  Index partner = -1;

  bool holds(Index other) const { return other == cluster || other == partner; }
};

/// Whether the filter knows a cluster as one point.
inline bool is_point(const WardClusters& clusters, const DistanceFilter& filter, Index cluster) {
  return clusters.size(cluster) == 1 || filter.is_held(cluster);
}

/// Makes the lists of several clusters in one pass over all, which are measured in float32: a
/// stretch of them at a time, so that only its distances are in memory.
class ListPass {
 public:
  /// Lists that are made together.
  static constexpr Index kMost = 32;

  ListPass(WardClusters& clusters, const DistanceFilter& filter)
      : clusters_(clusters), filter_(filter), scratch_(clusters.make_scratch()) {}

  /// Of at most kMost.
  std::vector<NearList> lists_of(const std::vector<Due>& all);

 private:
  struct Wanted {
    Due due;
    double size;                   ///< rows
    std::vector<double> centroid;  ///< of both, if there is a partner
    /// The list takes in nothing that is so far by Ward's distance.
    double reach = std::numeric_limits<double>::infinity();
    Shortlist nearest = Shortlist();

    /// From which distance of centroids on it does not, if the other has so many rows.
    float enough(double rows) const {
      return static_cast<float>(reach / WardClusters::scale(size, rows));
    }
  };
  /// What tells where some clusters are: their centroids if they are rows or held, else their rows;
  /// nothing of those with a stored centroid.
  struct Points {
    std::vector<Index> rows;         ///< of the table, or clusters that are held
    std::vector<double> sizes;       ///< rows that each stands for, 0 for a part of a cluster
    std::vector<Index> starts;       ///< of each cluster, and their end
    std::vector<double> least_size;  ///< of each tile
    std::vector<double> most_error;  ///< of each tile, absolute
    bool are_clusters = true;        ///< each is one

    Index tiles() const { return (std::ssize(rows) + kTileRows - 1) / kTileRows; }
  };

  std::vector<double> centroid_of(const Due& due);
  std::vector<Wanted> wanted_lists(const std::vector<Due>& all);
  void choose_sample();
  void find_reach(const float* measured, Wanted& wanted);
  Index take_stretch(std::span<const Index> clusters, Index begin, Index points);
  void add_points(Index cluster);
  void measure_points(const std::vector<Wanted>& wanted);
  void describe_tile(Index tile);
  void fetch_tile(Index tile) const;
  std::array<Index, kTileRows> rows_of_tile(Index tile) const;
  const float* measured(Index list) const {
    return measured_.data() + list * points_.tiles() * kTileRows;
  }
  void show_points(std::span<const Index> stretch, std::vector<Wanted>& wanted) const;
  void show_points(std::span<const Index> stretch, const float* measured, Wanted& wanted) const;

  WardClusters& clusters_;
  const DistanceFilter& filter_;
  std::vector<double> scratch_;
  Buffer<float> centroids_;    // of the lists
  std::vector<Index> sample_;  // clusters that tell how far the lists reach
  std::vector<Index> others_;
  std::vector<double> distances_;  // of the sample
  Points points_;
  std::vector<float> measured_;  // distances of the points from each list's centroid
};

}  // namespace tamis
