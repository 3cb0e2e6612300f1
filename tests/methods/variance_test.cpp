#include "tamis/methods/variance.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/method_properties.hpp"

namespace tamis {
namespace {

test::Rank method() {
  return [](const Problem& problem) { return variance(problem); };
}

std::vector<double> naive_variance(const test::Dense& x) {
  const auto n = static_cast<double>(x.rows);
  std::vector<double> scores;
  for (Index r = 0; r < x.cols; ++r) {
    double mean = 0.0;
    double squares = 0.0;
    for (Index i = 0; i < x.rows; ++i) mean += x(i, r) / n;
    for (Index i = 0; i < x.rows; ++i) squares += (x(i, r) - mean) * (x(i, r) - mean);
    scores.push_back(squares / n);
  }
  return scores;
}

TEST(Variance, MatchesTheNaiveFormula) {
  for (const test::Dense& x : {test::random_table(40, 7, 1), test::sparse_table(33, 9, 2)})
    test::expect_matches(method(), {x}, naive_variance(x));
}

TEST(Variance, HasTheInvariancesOfAMethod) {
  test::expect_invariances(method(), {test::random_table(50, 40, 3)}, /*scale_power=*/2);
}

TEST(Variance, HasTheGoldenValues) { test::expect_golden<VarianceOptions>(variance); }

TEST(Variance, GivesAConstantColumnExactlyZero) {
  const test::StoredSample stored(
      test::with_constant_column({test::random_table(20, 3, 4)}, 1, 0.1));
  const Ranking ranking = variance(stored.problem());
  EXPECT_EQ(ranking.scores[1], 0.0);
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
  EXPECT_EQ(ranking.order.back(), 1);
}

TEST(Variance, KeepsItsDigitsOnALargeOffset) {
  test::Sample sample{test::random_table(60, 4, 5)};
  for (double& value : sample.x.values) value += 1048576.0;
  const test::StoredSample stored(sample);
  test::expect_scores_near(variance(stored.problem()).scores, naive_variance(sample.x), 1e-12);
}

}  // namespace
}  // namespace tamis
