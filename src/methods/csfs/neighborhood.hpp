#pragma once

#include <span>
#include <variant>
#include <vector>

#include "graphs/graph.hpp"

namespace tamis {

/// Which rows are neighbours: those of a cluster, which are too many pairs for a list, or those
/// that a graph joins.
class Neighborhood {
 public:
  explicit Neighborhood(std::vector<Index> cluster_of_row);
  /// The weight of an edge is its squared distance.
  explicit Neighborhood(Graph graph);

  bool holds(Index i, Index j) const;
  /// Whether all these rows are of one cluster.
  bool share_a_cluster(std::span<const Index> rows, std::span<const Index> others) const;
  Index n_pairs() const;
  /// Mean squared distance of neighbours; 0 if there are none.
  double mean_distance(const MatrixView& x) const;

  /// The rows of each cluster; null for a graph.
  const RowGroups* clusters() const { return std::get_if<RowGroups>(&pairs_); }
  /// Null for clusters.
  const Graph* graph() const { return std::get_if<Graph>(&pairs_); }

 private:
  std::variant<RowGroups, Graph> pairs_;
  std::vector<Index> cluster_of_row_ = {};
  std::vector<std::vector<Index>> later_neighbors_ = {};  // of each row of a graph, ascending
};

}  // namespace tamis
