#pragma once

#include "graphs/graph.hpp"

namespace tamis {

/// Mean squared distance over all pairs of rows: 2 sum_i |x_i - mean|^2 / (n - 1), no n^2 loop.
double mean_squared_distance(const MatrixView& x);

/// Turns squared distances into weights exp(-(d^2 - min d^2) / t), t = bandwidth x its unit. The
/// shift by the shortest edge keeps the heaviest weight at 1, so that a small t cannot underflow
/// every weight to 0; scores that are ratios linear in the weights do not change by it.
/// Sums up the edges within `joined` groups likewise. Returns the weight of a pair.
/// Notes edges and effective edges; warns when fewer than 5 % of the edges carry the weight.
PairWeight apply_heat_kernel(const MatrixView& x, const GraphOptions& options,
                             const RowGroups& joined, Graph& graph, const Progress& progress,
                             Diagnostics& diagnostics);

/// Notes the number of edges and of effective edges, (sum w)^2 / sum w^2, and warns when the latter
/// is below 5 % of the former.
void note_edges(Index edges, double weight_sum, double squared_weight_sum,
                Diagnostics& diagnostics);

}  // namespace tamis
