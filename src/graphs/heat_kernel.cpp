#include "graphs/heat_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

double mean_weight(const std::vector<RowPair>& edges) {
  double sum = 0.0;
  for (const RowPair& edge : edges) sum += edge.weight;
  return sum / static_cast<double>(edges.size());
}

double unit_of(const MatrixView& x, BandwidthUnit unit, const Graph& graph) {
  switch (unit) {
    case BandwidthUnit::mean_distance:
      return mean_squared_distance(x);
    case BandwidthUnit::mean_edge:
      return mean_weight(graph.edges);
    case BandwidthUnit::absolute:
      break;
  }
  return 1.0;
}

}  // namespace

double mean_squared_distance(const MatrixView& x) {
  const ColumnMoments columns = moments(x);
  return 2.0 * std::accumulate(columns.squares.begin(), columns.squares.end(), 0.0) /
         static_cast<double>(x.rows() - 1);
}

void apply_heat_kernel(const MatrixView& x, const GraphOptions& options, Graph& graph,
                       Diagnostics& diagnostics) {
  if (!graph.edges.empty()) {
    const double nearest = std::ranges::min(graph.edges, {}, &RowPair::weight).weight;
    const double t = options.bandwidth * unit_of(x, options.bandwidth_unit, graph);
    // t = 0 only if all rows (or the ends of all edges) coincide: every distance is 0, every
    // weight 1.
    for (RowPair& edge : graph.edges)
      edge.weight = options.kernel == Kernel::binary || edge.weight == nearest
                        ? 1.0
                        : std::exp(-(edge.weight - nearest) / t);
  }
  double sum = 0.0;
  double squares = 0.0;
  for (const RowPair& edge : graph.edges) {
    sum += edge.weight;
    squares += edge.weight * edge.weight;
  }
  note_edges(std::ssize(graph.edges), sum, squares, diagnostics);
}

void note_edges(Index edges, double weight_sum, double squared_weight_sum,
                Diagnostics& diagnostics) {
  const double effective =
      squared_weight_sum > 0.0 ? weight_sum * weight_sum / squared_weight_sum : 0.0;
  diagnostics.edges = edges;
  diagnostics.effective_edges = effective;
  if (effective < 0.05 * static_cast<double>(edges))
    diagnostics.warnings.push_back(fmt::format(
        "the weight lies on {:.3g} of {} edges: a larger bandwidth would let more of them count",
        effective, edges));
}

}  // namespace tamis
