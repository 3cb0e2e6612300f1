#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "clustering/ward/agglomerative_clusters.hpp"
#include "clustering/ward/agglomerative_filter.hpp"
#include "clustering/ward/near_list.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

struct ClusterDistance {
  Index cluster = -1;
  double squared = std::numeric_limits<double>::infinity();
};

/// Finds the nearest of all clusters without measuring them all.
///
/// Each cluster keeps a list of near ones, each with a lower bound of its distance, and a bound
/// below which no other comes. Ward's distance is reducible: when nearest neighbours merge, the
/// distance of a third from them is no less than that from the nearer of the two. So bounds outlive
/// the merges of others, and those of a merged cluster follow from those of its parts. Only when
/// the best of the list is not below the bound of the rest are all clusters measured: in float32
/// for a new list, and in double if even that leaves a doubt (many ties).
///
/// A pass over all clusters for many lists costs little more than for one. So whoever needs a new
/// list gets it together with others that will be needed: of clusters whose list is used up, and of
/// clusters that two will become which are nearest to each other, as these are certain to merge.
class ClusterNeighbors {
 public:
  /// Centroids of at most `max_held` values are held as floats, to stand for their rows.
  ClusterNeighbors(WardClusters& clusters, Index max_held, const Progress& progress);

  /// The nearest cluster by Ward's squared distance; of equal ones `before` (-1: none), then the
  /// lowest.
  ClusterDistance nearest(Index cluster, Index before);

  /// Merges two clusters that are nearest to each other and returns the new one.
  Index merge(Index a, Index b, double squared);

 private:
  /// The nearest of a cluster, which stays the nearest as long as neither is merged.
  struct Known {
    std::int32_t cluster = -1;
    std::int32_t size = 0;  // that it had
  };
  /// A cluster that needs a list, or that two will become.
  struct Due {
    Index cluster = -1;
    Index partner = -1;

    bool holds(Index other) const { return other == cluster || other == partner; }
  };
  /// What tells whether a list of a cluster of so many rows can take in a point.
  struct Reach {
    double size = 0.0;
    double squared = std::numeric_limits<double>::infinity();  ///< of Ward's distance

    /// From which distance of centroids on it does not, if the point has so many rows.
    float enough(double rows) const {
      return static_cast<float>(squared / WardClusters::scale(size, rows));
    }
  };

  void fill_lists(const Progress& progress);
  void arrange_clusters();
  ClusterDistance best_of_list(Index cluster, Index before, const double* centroid);
  /// Whether the filter knows a cluster as one point.
  bool is_point(Index cluster) const {
    return clusters_.size(cluster) == 1 || filter_.is_held(cluster);
  }
  NearList tightened_list(Index cluster);
  Index known_nearest(Index cluster);
  Due due_around(Index cluster);
  std::vector<Due> due_with(Index cluster);
  void renew_lists(Index cluster);
  std::vector<double> centroid_of(const Due& due);
  void find_points();
  /// Measured distances from one list to the next: whole tiles.
  Index measured_pitch() const {
    return (std::ssize(points_) + kTileRows - 1) / kTileRows * kTileRows;
  }
  double size_of(const Due& due) const;
  std::vector<Reach> measure_points(const std::vector<Due>& all, const Buffer<float>& centroids);
  void measure_tiles(std::span<const Index> tiles, const std::vector<Reach>& reaches,
                     const Buffer<float>& centroids);
  void find_reach(std::span<const Index> tiles, Index list, Reach& reach) const;
  NearList measured_list(const Due& due, const Reach& reach, std::span<const Index> active,
                         const std::vector<double>& centroid, const float* measured) const;
  ClusterDistance best_of_all(Index cluster, Index before, const double* centroid);
  std::vector<NearCluster> entries_by_cluster(NearList list, Index except, Index and_except);
  NearList joined(Index a, Index b, double squared);
  std::optional<NearList> take_planned(Index a, Index b);

  WardClusters& clusters_;
  DistanceFilter filter_;
  NearLists lists_;
  NearLists planned_;  // of what two will become, by its lowest row
  std::vector<double> scratch_;
  Buffer<float> list_room_;  // for the clusters of a list, and its own
  std::vector<Known> known_;
  std::vector<std::int32_t> partners_;  // with which a cluster will merge, -1: not known
  std::vector<bool> is_due_;
  std::vector<bool> is_tied_;  // even a new list did not tell the nearest
  Index next_ = 0;             // place among the clusters where to look for others that are due
  std::vector<Index> points_;  // rows, and clusters that are held: what tells where clusters are
  std::vector<Index> starts_;  // of each active cluster in points_, and their end
  std::vector<double> sizes_;  // of active clusters
  std::vector<double> rows_of_points_;  // how many each stands for, 0 for a part of a cluster
  bool are_all_points_ = false;         // each cluster is one
  std::vector<double> fewest_rows_;     // that a point of a tile stands for
  std::vector<float> measured_;         // distances of the points from each list's centroid
  std::vector<double> distances_;
};

}  // namespace tamis
