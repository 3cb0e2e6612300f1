#include "tamis/methods/sselect.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "methods/sselect/cut_value.hpp"
#include "support/golden.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "support/naive_information.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/laplacian_score.hpp"

namespace tamis {
namespace {

test::Rank method(SselectOptions options = {}) {
  return [options](const Problem& problem) { return sselect(problem, options); };
}

double naive_nmi(const std::vector<Index>& a, const std::vector<Index>& b, bool use_max) {
  const double ha = test::naive_entropy(a);
  const double hb = test::naive_entropy(b);
  if (ha < 1e-12 || hb < 1e-12) return 0.0;
  return test::naive_information(a, b) / (use_max ? std::max(ha, hb) : std::sqrt(ha * hb));
}

std::vector<double> naive(const test::Sample& sample, const SselectOptions& options) {
  const test::RowMatrix squared = naive_squared_distances(sample.x);
  const test::RowMatrix weights = naive_heat_weights(
      squared, naive_neighbors(squared, options.graph.n_neighbors, test::naive_all(sample.x.rows)),
      options.graph.bandwidth * naive_mean_distance(squared));
  const std::vector<double> degrees = naive_degrees(weights);
  const double total = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  return naive_scores(sample.x, [&](Index r) {
    double mean = 0.0;
    for (Index i = 0; i < sample.x.rows; ++i) mean += degrees[i] * sample.x(i, r) / total;
    std::vector<Index> signs;
    std::vector<Index> classes;
    for (Index i = 0; i < std::ssize(sample.labels); ++i) {
      if (sample.labels[i] < 0) continue;
      signs.push_back(sample.x(i, r) - mean >= 0.0 ? 1 : 0);
      classes.push_back(sample.labels[i]);
    }
    const double nmi = naive_nmi(signs, classes, options.normalization == NmiNormalization::max);
    return *options.eta * naive_laplacian_score(sample.x, r, weights) +
           (1.0 - *options.eta) * (1.0 - nmi);
  });
}

TEST(Sselect, MatchesTheNaiveFormula) {
  const SselectOptions variants[] = {{},
                                     {.graph = {.n_neighbors = 3, .bandwidth = 0.4}, .eta = 0.6},
                                     {.eta = 0.0},
                                     {.eta = 0.3, .normalization = NmiNormalization::sqrt}};
  for (const SselectOptions& options : variants)
    for (const test::Sample& sample :
         {test::blobs(40, 7, 3, /*seed=*/1),
          test::Sample{test::sparse_table(36, 6, /*seed=*/2), test::blobs(36, 1, 4, 0).labels}})
      test::expect_matches(method(options), sample, naive(sample, options));
}

TEST(Sselect, HasThePropertiesOfAMethod) {
  const test::Sample sample = test::blobs(60, 40, 3, /*seed=*/3);
  test::expect_method_properties(method(), sample);
  test::expect_method_properties(method({.eta = std::nullopt}), sample);
}

TEST(Sselect, HasTheGoldenValues) { test::expect_golden<SselectOptions>(sselect); }

TEST(Sselect, PutsAValueEqualToTheMeanOnTheUpperSide) {
  // Each row is joined to the next: degrees 1, 2, 2, 2, 1, and the weighted mean is exactly 0.
  test::Sample sample{test::Dense(5, 1), {0, 0, 1, 1, 1}};
  sample.x.values = {-2.0, -1.0, 0.0, 1.0, 2.0};
  const SselectOptions options{.graph = {.n_neighbors = 1, .kernel = Kernel::binary}, .eta = 0.0};
  EXPECT_EQ(sselect(test::StoredSample(sample).problem(), options).scores[0], 0.0);
}

TEST(Sselect, RanksLikeTheLaplacianScoreWithoutLabelsAndSaysSo) {
  test::Sample sample = test::blobs(40, 8, 3, /*seed=*/4);
  sample.labels.clear();
  const test::StoredSample stored(sample);
  const Ranking ranking = sselect(stored.problem());
  EXPECT_EQ(ranking.order, laplacian_score(stored.problem()).order);
  ASSERT_EQ(ranking.diagnostics.warnings.size(), 1U);
  EXPECT_NE(ranking.diagnostics.warnings[0].find("two classes"), std::string::npos);
}

/// The cut value of the sample restricted to the best features for one eta.
double cut_for(const test::Sample& sample, double eta, Index top) {
  const Ranking ranking = sselect(test::StoredSample(sample).problem(), {.eta = eta});
  test::Sample best{test::Dense(sample.x.rows, top)};
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index s = 0; s < top; ++s) best.x(i, s) = sample.x(i, ranking.order[s]);
  Diagnostics unused;
  return cut_value(similarity_graph(test::StoredSample(best).problem().matrix, {}, {}, {}, unused))
      .value();
}

TEST(Sselect, ChoosesTheEtaWithTheSmallestCutValue) {
  for (const Index rows : {60, 330}) {  // both eigenvalue solvers
    const test::Sample sample = test::blobs(rows, 12, 3, /*seed=*/5);
    double best_eta = 0.0;
    double smallest = HUGE_VAL;
    for (int tenths = 1; tenths <= 9; ++tenths)
      if (const double cut = cut_for(sample, tenths / 10.0, 4); cut < smallest - 1e-9) {
        smallest = cut;
        best_eta = tenths / 10.0;
      }
    const Ranking ranking =
        sselect(test::StoredSample(sample).problem(), {.eta = std::nullopt, .auto_top = 4});
    const auto& figures = ranking.diagnostics.figures;
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(figures[0].first, "cut_value");
    EXPECT_NEAR(figures[0].second, smallest, 1e-9);
    EXPECT_EQ(figures[1], std::pair(std::string("eta"), best_eta));
    EXPECT_EQ(ranking.scores,
              sselect(test::StoredSample(sample).problem(), {.eta = best_eta}).scores);
  }
}

TEST(Sselect, WarnsWhenTheBestFeaturesLeaveTheGraphInPieces) {
  test::Sample sample = test::blobs(60, 6, 3, /*seed=*/6);
  for (Index i = 0; i < 60; ++i)
    for (Index r = 0; r < 6; ++r) sample.x(i, r) += 300.0 * static_cast<double>(i % 3);
  const Ranking ranking = sselect(test::StoredSample(sample).problem(),
                                  {.graph = {.n_neighbors = 3}, .eta = std::nullopt});
  EXPECT_EQ(ranking.diagnostics.figures[1].second, 0.1);
  ASSERT_FALSE(ranking.diagnostics.warnings.empty());
  EXPECT_NE(ranking.diagnostics.warnings.back().find("several pieces"), std::string::npos);
}

TEST(Sselect, RefusesAnEtaBeyondOneAndConstantTables) {
  const test::Sample sample = test::blobs(12, 3, 2, /*seed=*/7);
  EXPECT_THROW(sselect(test::StoredSample(sample).problem(), {.eta = 1.5}), InvalidArgument);
  EXPECT_THROW(sselect(test::StoredSample({test::Dense(9, 2)}).problem()), DataError);
}

TEST(Sselect, TellsTheTwoTermsThatItWeighs) {
  const test::StoredSample stored(test::blobs(30, 6, 3, /*seed=*/4));
  const Ranking ranking = sselect(stored.problem(), {.eta = 0.25});
  ASSERT_EQ(ranking.terms->size(), 2U);
  EXPECT_EQ((*ranking.terms)[0].values, laplacian_score(stored.problem()).scores);
  for (Index r = 0; r < 6; ++r)
    EXPECT_DOUBLE_EQ(ranking.scores[r],
                     0.25 * (*ranking.terms)[0].values[r] + 0.75 * (*ranking.terms)[1].values[r]);
}

}  // namespace
}  // namespace tamis
