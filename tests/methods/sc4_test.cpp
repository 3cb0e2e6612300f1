#include "tamis/methods/sc4.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/constraint_score.hpp"

namespace tamis {
namespace {

constexpr Sc4Options kFourNeighbors{.laplacian = {.graph = {.n_neighbors = 4}}};

test::Rank method(Sc4Options options = {}) {
  return [options](const Problem& problem) { return sc4(problem, options); };
}

std::vector<double> naive(const test::Sample& sample, const Sc4Options& options) {
  const test::RowMatrix squared = naive_squared_distances(sample.x);
  const test::RowMatrix weights = naive_heat_weights(
      squared,
      naive_neighbors(squared, options.laplacian.graph.n_neighbors, test::naive_all(sample.x.rows)),
      naive_mean_distance(squared));
  return naive_scores(sample.x, [&](Index r) {
    return naive_laplacian_score(sample.x, r, weights) *
           naive_pair_sum(sample.x, r, naive_must_links(sample)) /
           naive_pair_sum(sample.x, r, naive_cannot_links(sample));
  });
}

TEST(Sc4, MatchesTheNaiveFormula) {
  for (const test::Sample& sample :
       {test::blobs_with_pairs(35, 7, 2, /*seed=*/1),
        test::Sample{test::sparse_table(36, 5, /*seed=*/2), test::blobs(36, 1, 4, 0).labels}})
    test::expect_matches(method(kFourNeighbors), sample, naive(sample, kFourNeighbors));
}

TEST(Sc4, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs_with_pairs(50, 36, 3, /*seed=*/3));
}

TEST(Sc4, HasTheGoldenValues) { test::expect_golden<Sc4Options>(sc4); }

TEST(Sc4, IsUndefinedWhereTheConstraintScoreIs) {
  test::Sample sample = test::blobs(20, 3, 2, /*seed=*/4);
  for (Index i = 0; i < 6; ++i) sample.x(i, 2) = 0.1;
  const test::StoredSample stored(sample);
  EXPECT_EQ(sc4(stored.problem()).diagnostics.undefined, std::vector<Index>{2});
}

TEST(Sc4, RefusesAProblemWithoutPairs) {
  EXPECT_THROW(sc4(test::StoredSample({test::random_table(9, 2, 1)}).problem()), DataError);
}

TEST(Sc4, TellsTheTwoScoresThatItMultiplies) {
  const test::StoredSample stored(test::blobs(30, 6, 3, /*seed=*/4));
  const Ranking ranking = sc4(stored.problem());
  ASSERT_EQ(ranking.terms->size(), 2U);
  EXPECT_EQ((*ranking.terms)[0].values, laplacian_score(stored.problem()).scores);
  EXPECT_EQ((*ranking.terms)[1].values, constraint_score(stored.problem()).scores);
  for (Index r = 0; r < 6; ++r)
    EXPECT_DOUBLE_EQ(ranking.scores[r],
                     (*ranking.terms)[0].values[r] * (*ranking.terms)[1].values[r]);
}

}  // namespace
}  // namespace tamis
