#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "clustering/ward/agglomerative_clusters.hpp"
#include "clustering/ward/agglomerative_filter.hpp"
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
class ClusterNeighbors {
 public:
  /// A table of at most `max_held` values is copied, so that centroids can stand in it for rows.
  ClusterNeighbors(WardClusters& clusters, Index max_held, const Progress& progress);

  /// The nearest cluster by Ward's squared distance; of equal ones `before` (-1: none), then the
  /// lowest.
  ClusterDistance nearest(Index cluster, Index before);

  /// Merges two clusters that are nearest to each other and returns the new one.
  Index merge(Index a, Index b, double squared);

 private:
  /// Longer lists are good for longer, but every cluster has one.
  static constexpr Index kListed = 32;

  struct Entry {
    std::int32_t cluster = -1;
    float bound = std::numeric_limits<float>::infinity();
  };
  struct Near {
    std::array<Entry, kListed> entries = {};  // ascending by bound
    Index count = 0;
    double bound_of_rest = 0.0;

    std::span<Entry> listed() { return std::span(entries).first(static_cast<std::size_t>(count)); }
  };
  class Shortlist;

  void fill_lists(const Progress& progress);
  ClusterDistance best_of_list(Index cluster, Index before, const double* centroid);
  void renew_lists(Index cluster);
  std::vector<Index> due_with(Index cluster);
  void measure_rows(const std::vector<Index>& due);
  void measure_clusters(const std::vector<Index>& due);
  ClusterDistance best_of_all(Index cluster, Index before, const double* centroid);
  std::vector<Entry> entries_by_cluster(Near& near, Index except, Index and_except);
  Near joined(Index a, Index b, double squared);

  WardClusters& clusters_;
  DistanceFilter filter_;
  std::vector<Near> near_;
  std::vector<double> scratch_;
  std::vector<Index> merged_;    // clusters whose list was joined from two, latest last
  std::vector<char> is_joined_;  // and not renewed or found good since
  std::vector<Index> rows_;      // of the clusters without a stored centroid, cluster after cluster
  std::vector<Index> starts_;    // of each active cluster in rows_
  std::vector<float> row_bounds_;
  std::vector<double> distances_;
};

}  // namespace tamis
