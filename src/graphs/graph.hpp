#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/group_pairs.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"

namespace tamis {

/// Rows joined by weighted edges: first < second, ascending, each once. Edges between all rows of a
/// group are too many for a list: there are sums over them.
struct Graph {
  Index n_rows = 0;
  std::vector<RowPair> edges = {};
  PairSums joined = {};  ///< empty if there are no such edges
};

/// D_ii: the sum of the weights at each row.
std::vector<double> degrees(const Graph& graph);

/// The listed edges with weights w_ij / sqrt(D_i D_j): those of D^-1/2 S D^-1/2.
Graph normalized(const Graph& graph, const std::vector<double>& degrees);

/// Adds the edges within groups to sums over the listed ones: sum of w_ij (x_ir - x_jr)^2 of each
/// column r.
void add_joined_differences(const Graph& graph, std::vector<double>& sums);

/// How constraints change the neighbour graph.
struct GraphEdits {
  /// Seek neighbours among these rows (ascending) only; unset: among all.
  std::optional<std::vector<Index>> among = std::nullopt;
  /// Edges to have in any case; what the kernel gives them is multiplied by their weight.
  std::vector<RowPair> added = {};
  std::function<bool(Index, Index)> is_cut = nullptr;  ///< neighbour edges to leave out
  /// Groups of which each two rows have an edge, no row in two of them. Pairs in `added` that are
  /// in a group are taken as what such an edge weighs more.
  RowGroups joined = {};
};

/// The k-neighbour graph with its edits and heat-kernel weights (heat_kernel.hpp). Notes the
/// number of edges and of effective edges, and warnings, in the diagnostics.
Graph similarity_graph(const MatrixView& x, const GraphOptions& options, GraphEdits edits,
                       const Progress& progress, Diagnostics& diagnostics);

/// The edges of the k-neighbour graph; the weight of each is its squared distance.
/// Cuts k to what the rows allow, with a warning in the diagnostics.
Graph neighbor_graph(const MatrixView& x, const GraphOptions& options, const GraphEdits& edits,
                     const Progress& progress, Diagnostics& diagnostics);

}  // namespace tamis
