#include "tamis/graphs/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/graphs/heat_kernel.hpp"
#include "tamis/graphs/knn_exact.hpp"

namespace tamis {
namespace {

bool row_order(const RowPair& a, const RowPair& b) {
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}
bool same_rows(const RowPair& a, const RowPair& b) {
  return a.first == b.first && a.second == b.second;
}

/// Sorted by rows; of a pair that comes several times, one.
void sort_and_unite(std::vector<RowPair>& edges) {
  std::ranges::sort(edges, row_order);
  edges.erase(std::ranges::unique(edges, same_rows).begin(), edges.end());
}

/// Keeps the pairs that come twice (found from both ends), once.
void sort_and_keep_mutual(std::vector<RowPair>& edges) {
  std::ranges::sort(edges, row_order);
  auto kept = edges.begin();
  for (std::size_t s = 1; s < edges.size(); ++s)
    if (same_rows(edges[s - 1], edges[s])) *kept++ = edges[s];
  edges.erase(kept, edges.end());
}

/// Every (row, neighbour) as a pair with its squared distance.
std::vector<RowPair> directed_edges(std::span<const Index> rows, const Neighbors& neighbors) {
  std::vector<RowPair> edges;
  edges.reserve(neighbors.rows.size());
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index e = s * neighbors.k; e < (s + 1) * neighbors.k; ++e) {
      const auto [low, high] = std::minmax(rows[s], neighbors.rows[e]);
      edges.push_back({low, high, neighbors.squared_distances[e]});
    }
  return edges;
}

void warn_if_cut(Index asked, Index rows, Diagnostics& diagnostics) {
  if (asked >= rows)
    diagnostics.warnings.push_back(
        fmt::format("n_neighbors = {} was cut to {}: neighbours are sought among {} row{}", asked,
                    std::max<Index>(rows - 1, 0), rows, rows == 1 ? "" : "s"));
}

}  // namespace

std::vector<double> degrees(const Graph& graph) {
  std::vector<double> sums(graph.n_rows, 0.0);
  for (const RowPair& edge : graph.edges) {
    sums[edge.first] += edge.weight;
    sums[edge.second] += edge.weight;
  }
  return sums;
}

Graph neighbor_graph(const Problem& problem, const GraphOptions& options, const GraphEdits& edits,
                     Diagnostics& diagnostics) {
  const std::vector<Index> rows = edits.among ? *edits.among : all_rows(problem.rows());
  warn_if_cut(options.n_neighbors, std::ssize(rows), diagnostics);
  Graph graph{.n_rows = problem.rows()};
  graph.edges = directed_edges(
      rows, nearest_neighbors(problem.matrix, rows, options.n_neighbors, problem.progress));
  if (options.symmetry == Symmetry::mutual)
    sort_and_keep_mutual(graph.edges);
  else
    sort_and_unite(graph.edges);
  if (edits.is_cut)
    std::erase_if(graph.edges,
                  [&](const RowPair& edge) { return edits.is_cut(edge.first, edge.second); });
  for (const RowPair& pair : edits.added) {
    const auto [low, high] = std::minmax(pair.first, pair.second);
    graph.edges.push_back({low, high, squared_distance(problem.matrix, low, high)});
  }
  if (!edits.added.empty()) sort_and_unite(graph.edges);
  return graph;
}

Graph similarity_graph(const Problem& problem, const GraphOptions& options, const GraphEdits& edits,
                       Diagnostics& diagnostics) {
  Graph graph = neighbor_graph(problem, options, edits, diagnostics);
  apply_heat_kernel(problem.matrix, options, graph, diagnostics);
  return graph;
}

}  // namespace tamis
