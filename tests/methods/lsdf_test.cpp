#include "tamis/methods/lsdf.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/constraint_score.hpp"

namespace tamis {
namespace {

test::Rank method(LsdfOptions options = {}) {
  return [options](const Problem& problem) { return lsdf(problem, options); };
}

/// gamma on must-links, 1 on neighbour edges at an unlabeled row, else 0.
test::RowMatrix within_class_graph(const test::Sample& sample, const LsdfOptions& options) {
  test::RowMatrix weights =
      naive_neighbors(naive_squared_distances(sample.x), options.n_neighbors,
                      test::naive_all(sample.x.rows), options.symmetry == Symmetry::mutual);
  const test::RowMatrix must = naive_must_links(sample);
  for (Index i = 0; i < weights.n; ++i)
    for (Index j = 0; j < weights.n; ++j) {
      const bool both_labeled =
          !sample.labels.empty() && sample.labels[i] >= 0 && sample.labels[j] >= 0;
      if (both_labeled) weights(i, j) = 0.0;
      if (must(i, j) > 0.0) weights(i, j) = options.gamma * must(i, j);
    }
  return weights;
}

std::vector<double> naive(const test::Sample& sample, const LsdfOptions& options) {
  const test::RowMatrix within = within_class_graph(sample, options);
  const test::RowMatrix cannot = naive_cannot_links(sample);
  test::RowMatrix all(sample.x.rows);  // n var(f) = sum over all pairs (f_i - f_j)^2 / n
  std::ranges::fill(all.values, 1.0 / static_cast<double>(sample.x.rows));
  const bool has_cannot = std::ranges::max(cannot.values) > 0.0;
  return naive_scores(sample.x, [&](Index r) {
    return naive_pair_sum(sample.x, r, within) /
           naive_pair_sum(sample.x, r, has_cannot ? cannot : all);
  });
}

TEST(Lsdf, MatchesTheNaiveFormula) {
  test::Sample only_must = test::blobs_with_pairs(30, 5, 1, /*seed=*/3);
  only_must.labels.clear();
  only_must.pairs->cannot_link.clear();
  for (const LsdfOptions& options :
       {LsdfOptions{}, LsdfOptions{.gamma = 2.5, .n_neighbors = 3, .symmetry = Symmetry::mutual}})
    for (const test::Sample& sample :
         {test::blobs_with_pairs(40, 7, 3, /*seed=*/1), only_must,
          test::blobs_with_weighted_pairs(40, 7, 3, /*seed=*/5),
          test::Sample{test::sparse_table(36, 5, /*seed=*/2), test::blobs(36, 1, 4, 0).labels},
          test::Sample{test::integer_table(30, 5, /*seed=*/4), test::blobs(30, 1, 2, 0).labels}})
      test::expect_matches(method(options), sample, naive(sample, options));
}

TEST(Lsdf, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs_with_pairs(50, 36, 3, /*seed=*/5));
}

TEST(Lsdf, HasTheGoldenValues) { test::expect_golden<LsdfOptions>(lsdf); }

TEST(Lsdf, IsGammaTimesTheConstraintScoreWhenEveryRowIsLabeled) {
  const test::Sample sample = test::blobs(30, 6, 10, /*seed=*/6);
  std::vector<double> expected = constraint_score(test::StoredSample(sample).problem()).scores;
  for (double& score : expected) score *= 100.0;
  test::expect_matches(method({.gamma = 100.0}), sample, expected);
}

TEST(Lsdf, RanksWithoutSupervisionAndSaysSo) {
  const test::Sample sample{test::random_table(30, 5, /*seed=*/7)};
  test::expect_matches(method(), sample, naive(sample, {}));
  EXPECT_EQ(lsdf(test::StoredSample(sample).problem()).diagnostics.warnings.size(), 1U);
}

TEST(Lsdf, LeavesAColumnUndefinedOnWhichCannotLinkedRowsAgree) {
  test::Sample sample = test::blobs(20, 3, 2, /*seed=*/8);
  for (Index i = 0; i < 6; ++i) sample.x(i, 2) = 0.1;
  EXPECT_EQ(lsdf(test::StoredSample(sample).problem()).diagnostics.undefined,
            std::vector<Index>{2});
}

TEST(Lsdf, RefusesNegativeGammaAndConstantTables) {
  EXPECT_THROW(lsdf(test::StoredSample(test::blobs(9, 2, 1, 1)).problem(), {.gamma = -1.0}),
               InvalidArgument);
  EXPECT_THROW(lsdf(test::StoredSample({test::Dense(9, 2)}).problem()), DataError);
}

}  // namespace
}  // namespace tamis
