#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "clustering/ward/agglomerative_clusters.hpp"
#include "clustering/ward/agglomerative_filter.hpp"
#include "clustering/ward/filter_tile.hpp"
#include "clustering/ward/list_pass.hpp"
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
  /// Centroids of at most `max_held` values are held, to stand for their rows.
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
  void fill_lists(const Progress& progress);
  void arrange_clusters();
  ClusterDistance best_of_list(Index cluster, Index before, const double* centroid);
  NearList tightened_list(Index cluster);
  Index known_nearest(Index cluster);
  Due due_around(Index cluster);
  std::vector<Due> due_with(Index cluster);
  void renew_lists(Index cluster);
  ClusterDistance best_of_all(Index cluster, Index before, const double* centroid);
  std::vector<NearCluster> entries_by_cluster(NearList list, Index except, Index and_except);
  NearList joined(Index a, Index b, double squared);
  std::optional<NearList> take_planned(Index a, Index b);

  WardClusters& clusters_;
  DistanceFilter filter_;
  ListPass pass_;
  NearLists lists_;
  NearLists planned_;  // of what two will become, by its lowest row
  std::vector<double> scratch_;
  FilterTile tile_;      // for the clusters of a list
  Buffer<float> point_;  // and its own
  std::vector<Known> known_;
  std::vector<std::int32_t> partners_;  // with which a cluster will merge, -1: not known
  std::vector<bool> is_due_;
  std::vector<bool> is_tied_;  // even a new list did not tell the nearest
  Index next_ = 0;             // place among the clusters where to look for others that are due
  std::vector<double> distances_;
};

}  // namespace tamis
