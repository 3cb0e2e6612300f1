#include "tamis/methods/laplacian_score.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graphs/graph.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(LaplacianScoreOptions options = {}) {
  return [options](const Problem& problem) { return laplacian_score(problem, options); };
}

double naive_bandwidth(const test::RowMatrix& squared, const test::RowMatrix& edges,
                       const GraphOptions& options) {
  if (options.bandwidth_unit == BandwidthUnit::absolute) return options.bandwidth;
  if (options.bandwidth_unit == BandwidthUnit::mean_distance)
    return options.bandwidth * naive_mean_distance(squared);
  double sum = 0.0;
  double count = 0.0;
  for (Index i = 0; i < squared.n; ++i)
    for (Index j = 0; j < squared.n; ++j) {
      sum += edges(i, j) * squared(i, j);
      count += edges(i, j);
    }
  return options.bandwidth * sum / count;
}

std::vector<double> naive(const test::Sample& sample, const LaplacianScoreOptions& options) {
  const test::RowMatrix squared = naive_squared_distances(sample.x);
  test::RowMatrix edges =
      naive_neighbors(squared, options.graph.n_neighbors, test::naive_all(sample.x.rows),
                      options.graph.symmetry == Symmetry::mutual);
  const test::RowMatrix must = naive_must_links(sample);
  if (options.must_link_edges)
    std::ranges::transform(edges.values, must.values, edges.values.begin(),
                           [](double a, double b) { return std::max(a, b); });
  const test::RowMatrix weights =
      options.graph.kernel == Kernel::binary
          ? edges
          : naive_heat_weights(squared, edges, naive_bandwidth(squared, edges, options.graph));
  return naive_scores(sample.x,
                      [&](Index r) { return naive_laplacian_score(sample.x, r, weights); });
}

TEST(LaplacianScore, MatchesTheNaiveFormulaForEveryOption) {
  const LaplacianScoreOptions variants[] = {
      {},
      {.graph = {.n_neighbors = 3}},
      {.graph = {.n_neighbors = 1}, .must_link_edges = true},
      {.graph = {.n_neighbors = 4, .symmetry = Symmetry::mutual}},
      {.graph = {.n_neighbors = 4, .kernel = Kernel::binary}},
      {.graph = {.bandwidth = 0.5, .bandwidth_unit = BandwidthUnit::mean_edge}},
      {.graph = {.bandwidth = 3.0, .bandwidth_unit = BandwidthUnit::absolute}}};
  for (const LaplacianScoreOptions& options : variants)
    for (const test::Sample& sample : {test::blobs_with_pairs(40, 7, 2, /*seed=*/1),
                                       test::Sample{test::sparse_table(35, 6, /*seed=*/2)},
                                       test::Sample{test::integer_table(30, 5, /*seed=*/3)}})
      test::expect_matches(method(options), sample, naive(sample, options));
}

TEST(LaplacianScore, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), {test::random_table(70, 40, /*seed=*/4)});
  test::expect_method_properties(method({.graph = {.n_neighbors = 3}, .must_link_edges = true}),
                                 test::blobs_with_pairs(50, 10, 3, /*seed=*/5));
}

TEST(LaplacianScore, HasTheGoldenValues) {
  test::expect_golden<LaplacianScoreOptions>(laplacian_score);
}

TEST(LaplacianScore, IgnoresShiftAndScaleOfAFeatureOnAFixedGraph) {
  const test::Sample sample{test::random_table(40, 3, /*seed=*/6)};
  const test::StoredSample stored(sample);
  Diagnostics diagnostics;
  const Graph graph = similarity_graph(stored.problem().matrix, {}, {}, {}, diagnostics);
  test::Sample changed = sample;
  for (Index i = 0; i < 40; ++i) changed.x(i, 0) = -4.0 * sample.x(i, 0) + 17.0;
  const test::StoredSample other(changed);
  EXPECT_NEAR(laplacian_terms(other.problem().matrix, graph).scores[0],
              laplacian_terms(stored.problem().matrix, graph).scores[0], 1e-12);
}

TEST(LaplacianScore, IgnoresLabelsUnlessAskedForMustLinkEdges) {
  test::Sample sample = test::blobs(30, 4, 3, /*seed=*/7);
  const std::vector<double> with = laplacian_score(test::StoredSample(sample).problem()).scores;
  sample.labels.clear();
  EXPECT_EQ(laplacian_score(test::StoredSample(sample).problem()).scores, with);
}

TEST(LaplacianScore, SurvivesABandwidthThatUnderflowsEveryWeight) {
  test::Sample sample{test::random_table(30, 4, /*seed=*/8)};
  for (double& value : sample.x.values) value *= 1000.0;
  const test::StoredSample stored(sample);
  const Ranking ranking = laplacian_score(
      stored.problem(), {.graph = {.bandwidth = 0.1, .bandwidth_unit = BandwidthUnit::absolute}});
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
  EXPECT_FALSE(ranking.diagnostics.warnings.empty());
}

TEST(LaplacianScore, LeavesAColumnUndefinedThatIsConstantWhereTheWeightIs) {
  // Rows 0, 1 and 2 lie together; all other distances underflow beside theirs.
  test::Sample sample{test::random_table(10, 2, /*seed=*/9)};
  for (double& value : sample.x.values) value *= 1e6;
  for (Index i = 0; i < 3; ++i) {
    sample.x(i, 0) = 0.1;
    sample.x(i, 1) = 0.3 * static_cast<double>(i * i);
  }
  const test::StoredSample stored(sample);
  const Ranking ranking =
      laplacian_score(stored.problem(), {.graph = {.bandwidth_unit = BandwidthUnit::absolute}});
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{0});
}

TEST(LaplacianScore, RefusesTablesWithoutAnythingToRank) {
  const test::Sample constant{test::Dense(5, 2)};
  EXPECT_NE(message_of<DataError>([&] {
              laplacian_score(test::StoredSample(constant).problem());
            }).find("every column of the table is constant"),
            std::string::npos);
  EXPECT_THROW(laplacian_score(test::StoredSample({test::random_table(5, 2, 1)}).problem(),
                               {.graph = {.n_neighbors = 0}}),
               InvalidArgument);
}

}  // namespace
}  // namespace tamis
