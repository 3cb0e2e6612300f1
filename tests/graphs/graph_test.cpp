#include "graphs/graph.hpp"

#include <algorithm>
#include <cmath>

#include "graphs/heat_kernel.hpp"
#include "graphs/knn_exact.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

using Rows = std::pair<Index, Index>;

std::vector<Rows> edges_of(const Graph& graph) {
  std::vector<Rows> edges;
  for (const RowPair& edge : graph.edges) edges.emplace_back(edge.first, edge.second);
  return edges;
}

/// Rows on a line at 0, 1, 3, 7, 15: each row's nearest is the one before it, but for the first.
Sample line() {
  Sample sample{.x = Dense(5, 1)};
  for (Index i = 0; i < 5; ++i) sample.x(i, 0) = std::exp2(static_cast<double>(i)) - 1.0;
  return sample;
}

TEST(NeighborGraph, JoinsRowsIfEitherIsANeighbour) {
  const StoredSample stored(line());
  Diagnostics notes;
  const Graph graph = neighbor_graph(stored.problem().matrix, {.n_neighbors = 1}, {}, {}, notes);
  EXPECT_EQ(edges_of(graph), (std::vector<Rows>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(graph.edges[2].weight, 16.0);
}

TEST(NeighborGraph, JoinsRowsOnlyIfBothAreNeighboursWhenMutual) {
  const StoredSample stored(line());
  Diagnostics notes;
  const Graph graph = neighbor_graph(
      stored.problem().matrix, {.n_neighbors = 1, .symmetry = Symmetry::mutual}, {}, {}, notes);
  EXPECT_EQ(edges_of(graph), (std::vector<Rows>{{0, 1}}));
}

TEST(NeighborGraph, AddsAndCutsEdges) {
  const StoredSample stored(line());
  Diagnostics notes;
  const GraphEdits edits{.added = {{4, 0}, {1, 0}},
                         .is_cut = [](Index i, Index j) { return i == 2 && j == 3; }};
  const Graph graph = neighbor_graph(stored.problem().matrix, {.n_neighbors = 1}, edits, {}, notes);
  EXPECT_EQ(edges_of(graph), (std::vector<Rows>{{0, 1}, {0, 4}, {1, 2}, {3, 4}}));
  EXPECT_EQ(graph.edges[1].weight, 225.0);
}

TEST(NeighborGraph, WarnsWhenItCutsTheNumberOfNeighbours) {
  const StoredSample stored(line());
  Diagnostics notes;
  neighbor_graph(stored.problem().matrix, {.n_neighbors = 4}, {}, {}, notes);
  EXPECT_TRUE(notes.warnings.empty());
  const Graph graph = neighbor_graph(stored.problem().matrix, {.n_neighbors = 9}, {}, {}, notes);
  EXPECT_EQ(graph.edges.size(), 10U);
  ASSERT_EQ(notes.warnings.size(), 1U);
  EXPECT_NE(notes.warnings[0].find("n_neighbors = 9 was cut to 4"), std::string::npos);
}

TEST(NeighborGraph, HasNoEdgeAmongFewerThanTwoRows) {
  const StoredSample stored(line());
  Diagnostics notes;
  const GraphEdits edits{.among = std::vector<Index>{3}};
  EXPECT_TRUE(neighbor_graph(stored.problem().matrix, {}, edits, {}, notes).edges.empty());
}

TEST(Degrees, AreTheSumsOfTheWeightsAtEachRow) {
  const Graph graph{.n_rows = 3, .edges = {{0, 1, 0.5}, {1, 2, 0.25}}};
  EXPECT_EQ(degrees(graph), (std::vector<double>{0.5, 0.75, 0.25}));
}

TEST(MeanSquaredDistance, EqualsTheMeanOverAllPairs) {
  const Dense x = random_table(30, 4, 1);
  double sum = 0.0;
  for (Index i = 0; i < 30; ++i)
    for (Index j = i + 1; j < 30; ++j)
      for (Index r = 0; r < 4; ++r) sum += std::pow(x(i, r) - x(j, r), 2);
  for (const Storage storage : kStorages) {
    const StoredSample stored({.x = x}, storage);
    EXPECT_NEAR(mean_squared_distance(stored.problem().matrix), 2.0 * sum / (30 * 29), 1e-10);
  }
}

TEST(HeatKernel, GivesTheNearestEdgeTheWeightOne) {
  const StoredSample stored({.x = random_table(60, 5, 2)});
  for (const BandwidthUnit unit :
       {BandwidthUnit::mean_distance, BandwidthUnit::mean_edge, BandwidthUnit::absolute}) {
    Diagnostics notes;
    const GraphOptions options{.bandwidth = 0.7, .bandwidth_unit = unit};
    const Graph lengths = neighbor_graph(stored.problem().matrix, options, {}, {}, notes);
    const Graph graph = similarity_graph(stored.problem().matrix, options, {}, {}, notes);
    double mean_edge = 0.0;
    double nearest = HUGE_VAL;
    for (const RowPair& edge : lengths.edges) {
      mean_edge += edge.weight / static_cast<double>(lengths.edges.size());
      nearest = std::min(nearest, edge.weight);
    }
    const double t =
        0.7 * (unit == BandwidthUnit::absolute    ? 1.0
               : unit == BandwidthUnit::mean_edge ? mean_edge
                                                  : mean_squared_distance(stored.problem().matrix));
    for (std::size_t s = 0; s < graph.edges.size(); ++s)
      EXPECT_NEAR(graph.edges[s].weight, std::exp((nearest - lengths.edges[s].weight) / t), 1e-12);
  }
}

TEST(HeatKernel, DoesNotUnderflowEverywhereAndSaysWhenFewEdgesCount) {
  const StoredSample stored({.x = random_table(60, 500, 3)});
  Diagnostics notes;
  const GraphOptions options{.bandwidth = 0.1, .bandwidth_unit = BandwidthUnit::absolute};
  const Graph graph = similarity_graph(stored.problem().matrix, options, {}, {}, notes);
  EXPECT_EQ(std::ranges::max(graph.edges, {}, &RowPair::weight).weight, 1.0);
  EXPECT_LT(*notes.effective_edges, 0.05 * static_cast<double>(*notes.edges));
  EXPECT_EQ(notes.warnings.size(), 1U);
}

TEST(HeatKernel, GivesEveryEdgeTheWeightOneWhenBinaryOrWhenAllRowsCoincide) {
  Diagnostics notes;
  const StoredSample scattered({.x = random_table(20, 3, 4)});
  for (const RowPair& edge :
       similarity_graph(scattered.problem().matrix, {.kernel = Kernel::binary}, {}, {}, notes)
           .edges)
    EXPECT_EQ(edge.weight, 1.0);
  const StoredSample coinciding({.x = Dense(6, 2)});
  for (const RowPair& edge : similarity_graph(coinciding.problem().matrix, {}, {}, {}, notes).edges)
    EXPECT_EQ(edge.weight, 1.0);
}

}  // namespace
}  // namespace tamis::test
