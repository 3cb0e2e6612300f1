#include "graphs/heat_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/cpu.hpp"

namespace tamis {
namespace {

/// Of all edges, whose weights are still squared distances.
double mean_edge(const MatrixView& x, const Graph& graph, const RowGroups& joined) {
  double sum = total_group_distance(x, joined);
  for (const RowPair& edge : graph.edges) sum += edge.weight;
  return sum / static_cast<double>(std::ssize(graph.edges) + count_group_pairs(joined));
}

double unit_of(const MatrixView& x, BandwidthUnit unit, const Graph& graph,
               const RowGroups& joined) {
  switch (unit) {
    case BandwidthUnit::mean_distance:
      return mean_squared_distance(x);
    case BandwidthUnit::mean_edge:
      return mean_edge(x, graph, joined);
    case BandwidthUnit::absolute:
      break;
  }
  return 1.0;
}

double least_weight(std::span<const RowPair> edges) {
  return for_this_cpu([edges](auto) TAMIS_KERNEL {
    double least = std::numeric_limits<double>::infinity();
    for (const RowPair& edge : edges) least = std::min(least, edge.weight);
    return least;
  });
}

/// The squared distance of the shortest edge.
double shortest_edge(const MatrixView& x, const Graph& graph, const CoincidingRows& joined,
                     const Progress& progress) {
  double nearest = least_weight(graph.edges);
  if (nearest > 0.0) nearest = std::min(nearest, nearest_group_pair(x, joined, progress));
  return nearest;
}

/// Turns the squared distances of edges into weights.
void weigh(const PairWeight& kernel, std::span<RowPair> edges) {
  constexpr std::size_t kAtOnce = 256;
  std::array<double, kAtOnce> values;
  for (; !edges.empty(); edges = edges.subspan(std::min(kAtOnce, edges.size()))) {
    const auto some = edges.first(std::min(kAtOnce, edges.size()));
    std::ranges::transform(some, values.begin(), &RowPair::weight);
    kernel.apply(std::span(values).first(some.size()));
    for (std::size_t s = 0; s < some.size(); ++s) some[s].weight = values[s];
  }
}

}  // namespace

double mean_squared_distance(const MatrixView& x) {
  const ColumnMoments columns = moments(x);
  return 2.0 * std::accumulate(columns.squares.begin(), columns.squares.end(), 0.0) /
         static_cast<double>(x.rows() - 1);
}

PairWeight apply_heat_kernel(const MatrixView& x, const GraphOptions& options,
                             const RowGroups& joined, Graph& graph, const Progress& progress,
                             Diagnostics& diagnostics) {
  const Index n_joined = count_group_pairs(joined);
  PairWeight kernel{.kernel = options.kernel};
  if (options.kernel == Kernel::heat && !(graph.edges.empty() && n_joined == 0)) {
    const CoincidingRows rows = coinciding_rows(x, joined);
    // t = 0 only if all rows (or the ends of all edges) coincide: every distance is 0, every
    // weight 1.
    kernel.t = options.bandwidth * unit_of(x, options.bandwidth_unit, graph, joined);
    kernel.nearest = shortest_edge(x, graph, rows, progress);
    if (n_joined > 0)
      graph.joined = sum_group_pairs(x, rows, kernel, progress, "pairs within classes");
  } else if (n_joined > 0) {
    graph.joined = sum_equal_pairs(x, joined);
  }
  double sum = graph.joined.weight;
  double squares = graph.joined.squared_weight;
  weigh(kernel, graph.edges);
  for (const RowPair& edge : graph.edges) {
    sum += edge.weight;
    squares += edge.weight * edge.weight;
  }
  note_edges(std::ssize(graph.edges) + n_joined, sum, squares, diagnostics);
  return kernel;
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
