#include "tamis/methods/constraint_score.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/fisher_score.hpp"

namespace tamis {
namespace {

constexpr ConstraintScoreOptions kDifference{.form = ConstraintScoreForm::difference, .nu = 0.7};

test::Rank method(ConstraintScoreOptions options = {}) {
  return [options](const Problem& problem) { return constraint_score(problem, options); };
}

/// M / C, or M - nu C.
std::vector<double> naive(const test::Sample& sample, const ConstraintScoreOptions& options) {
  return naive_scores(sample.x, [&](Index r) {
    const double must = naive_pair_sum(sample.x, r, naive_must_links(sample));
    const double cannot = naive_pair_sum(sample.x, r, naive_cannot_links(sample));
    return options.form == ConstraintScoreForm::ratio ? must / cannot : must - options.nu * cannot;
  });
}

TEST(ConstraintScore, MatchesTheNaiveFormulaInBothForms) {
  test::Sample only_pairs = test::blobs_with_pairs(20, 6, 1, /*seed=*/2);
  only_pairs.labels.clear();
  for (const ConstraintScoreOptions& options : {ConstraintScoreOptions{}, kDifference})
    for (const test::Sample& sample :
         {test::blobs_with_pairs(30, 6, 3, /*seed=*/1), only_pairs,
          test::blobs_with_weighted_pairs(30, 6, 3, /*seed=*/5),
          test::Sample{test::sparse_table(45, 6, /*seed=*/3), test::blobs(45, 1, 9, 0).labels}})
      test::expect_matches(method(options), sample, naive(sample, options));
}

TEST(ConstraintScore, HasThePropertiesOfAMethod) {
  const test::Sample sample = test::blobs_with_pairs(40, 36, 3, /*seed=*/4);
  test::expect_method_properties(method(), sample);
  test::expect_method_properties(method(kDifference), sample, /*scale_power=*/2);
}

TEST(ConstraintScore, HasTheGoldenValues) {
  test::expect_golden<ConstraintScoreOptions>(constraint_score);
}

TEST(ConstraintScore, OrdersLikeFisherOnBalancedLabels) {
  // With n_c = n/K: M = n_c W and C = n B + (n - n_c) W, so that M/C falls as B/W rises.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const test::StoredSample stored(test::blobs(60, 30, 5, seed));
    EXPECT_EQ(constraint_score(stored.problem()).order, fisher_score(stored.problem()).order);
  }
}

TEST(ConstraintScore, IsTheMustLinkSumWithoutCannotLinks) {
  test::Sample sample = test::blobs(20, 4, 3, /*seed=*/5);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  const auto expected = naive_scores(
      sample.x, [&](Index r) { return naive_pair_sum(sample.x, r, naive_must_links(sample)); });
  test::expect_matches(method(), sample, expected);
}

TEST(ConstraintScore, IsOneOverTheCannotLinkSumWithoutMustLinks) {
  const test::Sample sample = test::blobs(20, 4, 1, /*seed=*/6);
  const auto expected = naive_scores(sample.x, [&](Index r) {
    return 1.0 / naive_pair_sum(sample.x, r, naive_cannot_links(sample));
  });
  test::expect_matches(method(), sample, expected);
}

TEST(ConstraintScore, LeavesAColumnUndefinedOnWhichCannotLinkedRowsAgree) {
  test::Sample sample = test::blobs(20, 3, 2, /*seed=*/7);
  for (Index i = 0; i < 6; ++i) sample.x(i, 2) = 0.1;
  const test::StoredSample stored(sample);
  EXPECT_EQ(constraint_score(stored.problem()).diagnostics.undefined, std::vector<Index>{2});
}

TEST(ConstraintScore, RefusesAProblemWithoutPairsOrWithoutADefinedColumn) {
  EXPECT_THROW(constraint_score(test::StoredSample({test::random_table(5, 2, 1)}).problem()),
               DataError);
  test::Sample agreeing = test::blobs(20, 1, 2, /*seed=*/8);
  for (Index i = 0; i < 6; ++i) agreeing.x(i, 0) = 0.1;
  EXPECT_THROW(constraint_score(test::StoredSample(agreeing).problem()), DataError);
}

}  // namespace
}  // namespace tamis
