#include "graphs/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graphs/heat_kernel.hpp"
#include "graphs/knn_exact.hpp"
#include "graphs/narrow_edges.hpp"

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
  edges.erase(std::unique(edges.begin(), edges.end(), same_rows), edges.end());
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

/// The edges of the neighbour graph of the rows, ascending, each once.
std::vector<RowPair> neighbor_edges(const MatrixView& x, std::span<const Index> rows, Index k,
                                    Symmetry symmetry, const Progress& progress) {
  if (is_narrow(x, std::ssize(rows), k) && rows.size() > 1)
    return narrow_neighbor_edges(x, rows, std::min(k, std::ssize(rows) - 1), symmetry);
  std::vector<RowPair> edges = directed_edges(rows, nearest_neighbors(x, rows, k, progress));
  if (symmetry == Symmetry::mutual)
    sort_and_keep_mutual(edges);
  else
    sort_and_unite(edges);
  return edges;
}

/// Joins pairs with their squared distance to the edges, which stay ascending and different.
void add_edges(const MatrixView& x, std::span<const RowPair> pairs, std::vector<RowPair>& edges) {
  std::vector<RowPair> added;
  for (const RowPair& pair : pairs) {
    const auto [low, high] = std::minmax(pair.first, pair.second);
    added.push_back({low, high, 0.0});
  }
  sort_and_unite(added);
  std::erase_if(added, [&](const RowPair& pair) {
    return std::ranges::binary_search(edges, pair, row_order);
  });
  for (RowPair& pair : added) pair.weight = squared_distance(x, pair.first, pair.second);
  const auto middle = static_cast<Index>(edges.size());
  edges.insert(edges.end(), added.begin(), added.end());
  std::inplace_merge(edges.begin(), edges.begin() + middle, edges.end(), row_order);
}

/// The group of each row, from 0; -1 for none.
std::vector<Index> groups_of_rows(const RowGroups& groups, Index rows) {
  std::vector<Index> of_row(rows, -1);
  for (Index g = 0; g < std::ssize(groups); ++g)
    for (const Index row : groups[g]) of_row[row] = g;
  return of_row;
}

/// Moves the pairs whose rows share a group out of the edits.
std::vector<RowPair> take_joined(const std::vector<Index>& group_of_row,
                                 std::vector<RowPair>& pairs) {
  const auto is_listed = [&](const RowPair& pair) {
    return group_of_row[pair.first] < 0 || group_of_row[pair.first] != group_of_row[pair.second];
  };
  const auto joined = std::stable_partition(pairs.begin(), pairs.end(), is_listed);
  std::vector<RowPair> taken(joined, pairs.end());
  pairs.erase(joined, pairs.end());
  return taken;
}

/// Edges within groups that weigh more than the kernel says, as listed edges of the rest.
void add_heavier(const MatrixView& x, std::span<const RowPair> pairs, const PairWeight& kernel,
                 std::vector<RowPair>& edges) {
  if (pairs.empty()) return;
  for (RowPair pair : pairs) {
    pair.weight *= kernel(squared_distance(x, pair.first, pair.second));
    edges.push_back(pair);
  }
  std::ranges::sort(edges, row_order);
}

/// The edges are ascending.
void multiply_weights(std::span<const RowPair> pairs, std::vector<RowPair>& edges) {
  for (const RowPair& pair : pairs) {
    if (pair.weight == 1.0) continue;
    const auto [low, high] = std::minmax(pair.first, pair.second);
    std::ranges::lower_bound(edges, RowPair{low, high}, row_order)->weight *= pair.weight;
  }
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
  // The edges of a first row follow each other, and those that end at it came before: its sum
  // stays in a register.
  for (auto edge = graph.edges.begin(); edge != graph.edges.end();) {
    const Index row = edge->first;
    double sum = sums[row];
    for (; edge != graph.edges.end() && edge->first == row; ++edge) {
      sum += edge->weight;
      sums[edge->second] += edge->weight;
    }
    sums[row] = sum;
  }
  for (std::size_t i = 0; i < graph.joined.degrees.size(); ++i) sums[i] += graph.joined.degrees[i];
  return sums;
}

Graph normalized(const Graph& graph, const std::vector<double>& degrees) {
  Graph result{.n_rows = graph.n_rows, .edges = graph.edges};
  for (RowPair& edge : result.edges)
    if (edge.weight > 0.0)
      edge.weight /= std::sqrt(degrees[edge.first]) * std::sqrt(degrees[edge.second]);
  return result;
}

void add_joined_differences(const Graph& graph, std::vector<double>& sums) {
  for (std::size_t r = 0; r < graph.joined.differences.size(); ++r)
    sums[r] += graph.joined.differences[r];
}

Graph neighbor_graph(const MatrixView& x, const GraphOptions& options, const GraphEdits& edits,
                     const Progress& progress, Diagnostics& diagnostics) {
  const std::vector<Index> rows = edits.among ? *edits.among : all_indices(x.rows());
  warn_if_cut(options.n_neighbors, std::ssize(rows), diagnostics);
  Graph graph{.n_rows = x.rows(),
              .edges = neighbor_edges(x, rows, options.n_neighbors, options.symmetry, progress)};
  if (edits.is_cut)
    std::erase_if(graph.edges,
                  [&](const RowPair& edge) { return edits.is_cut(edge.first, edge.second); });
  add_edges(x, edits.added, graph.edges);
  return graph;
}

Graph similarity_graph(const MatrixView& x, const GraphOptions& options, GraphEdits edits,
                       const Progress& progress, Diagnostics& diagnostics) {
  const std::vector<Index> group_of_row = groups_of_rows(edits.joined, x.rows());
  const std::vector<RowPair> heavier = take_joined(group_of_row, edits.added);
  Graph graph = neighbor_graph(x, options, edits, progress, diagnostics);
  if (!edits.joined.empty())
    std::erase_if(graph.edges, [&](const RowPair& edge) {
      return group_of_row[edge.first] >= 0 && group_of_row[edge.first] == group_of_row[edge.second];
    });
  const PairWeight kernel =
      apply_heat_kernel(x, options, edits.joined, graph, progress, diagnostics);
  multiply_weights(edits.added, graph.edges);
  add_heavier(x, heavier, kernel, graph.edges);
  return graph;
}

}  // namespace tamis
