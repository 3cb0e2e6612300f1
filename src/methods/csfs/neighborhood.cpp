#include "methods/csfs/neighborhood.hpp"

#include <algorithm>

namespace tamis {

Neighborhood::Neighborhood(std::vector<Index> cluster_of_row)
    : pairs_(rows_by_group(cluster_of_row)), cluster_of_row_(std::move(cluster_of_row)) {}

Neighborhood::Neighborhood(Graph graph) : later_neighbors_(static_cast<std::size_t>(graph.n_rows)) {
  for (const RowPair& edge : graph.edges) later_neighbors_[edge.first].push_back(edge.second);
  pairs_ = std::move(graph);
}

bool Neighborhood::holds(Index i, Index j) const {
  if (clusters() != nullptr) return cluster_of_row_[i] == cluster_of_row_[j];
  return std::ranges::binary_search(later_neighbors_[std::min(i, j)], std::max(i, j));
}

bool Neighborhood::share_a_cluster(std::span<const Index> rows,
                                   std::span<const Index> others) const {
  if (clusters() == nullptr) return false;
  const auto is_there = [&](Index row) {
    return cluster_of_row_[row] == cluster_of_row_[rows.front()];
  };
  return std::ranges::all_of(rows, is_there) && std::ranges::all_of(others, is_there);
}

Index Neighborhood::n_pairs() const {
  return clusters() != nullptr ? count_group_pairs(*clusters()) : std::ssize(graph()->edges);
}

double Neighborhood::mean_distance(const MatrixView& x) const {
  if (n_pairs() == 0) return 0.0;
  double total = 0.0;
  if (clusters() != nullptr)
    total = total_group_distance(x, *clusters());
  else
    for (const RowPair& edge : graph()->edges) total += edge.weight;
  return total / static_cast<double>(n_pairs());
}

}  // namespace tamis
