#include "plan/diversify.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

/// Columns 0, 2, 4, ... each with a copy behind it.
test::Sample twins(Index cols) {
  test::Sample sample = test::blobs(60, cols, 4, /*seed=*/1);
  for (Index i = 0; i < 60; ++i)
    for (Index r = 1; r < cols; r += 2) sample.x(i, r) = sample.x(i, r - 1);
  return sample;
}

TEST(Diversify, MovesCopiesBehindAllCandidatesThatAddSomethingIfThereIsNoNugget) {
  const test::StoredSample stored(twins(20));
  const Ranking given = fisher_score(stored.problem());
  const Ranking ranking = diversify(stored.problem(), given, {.n_candidates = 12, .nugget = 0.0});
  for (Index i = 0; i < 6; ++i) EXPECT_EQ(ranking.order[i] % 2, 0);
  for (Index i = 6; i < 12; ++i) EXPECT_EQ(ranking.order[i] % 2, 1);
  EXPECT_TRUE(
      std::equal(ranking.order.begin() + 12, ranking.order.end(), given.order.begin() + 12));
  EXPECT_EQ(ranking.scores, given.scores);
  EXPECT_EQ(ranking.better, given.better);
  std::vector<Index> sorted = ranking.order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all_indices(20));
}

TEST(Diversify, KeepsUndefinedAndConstantColumnsBehind) {
  const test::StoredSample stored(test::with_constant_column(twins(8), 4, 0.1));
  EXPECT_EQ(diversify(stored.problem(), fisher_score(stored.problem())).order.back(), 4);
  EXPECT_EQ(diversify(stored.problem(), variance(stored.problem())).order.back(), 4);
}

TEST(Diversify, OfOneCandidateChangesNothing) {
  const test::StoredSample stored(twins(8));
  const Ranking given = fisher_score(stored.problem());
  EXPECT_EQ(diversify(stored.problem(), given, {.n_candidates = 1}).order, given.order);
}

TEST(Diversify, CountsFeatures) {
  const test::StoredSample stored(twins(20));
  const Ranking ranking =
      diversify(stored.problem(), fisher_score(stored.problem()), {.relevance = {.fdr = 0.1}});
  ASSERT_TRUE(ranking.relevance);
  const Relevance& judged = *ranking.relevance;
  EXPECT_GE(judged.n_backed, 1);
  EXPECT_LE(judged.n_backed, 20);
  for (Index place = 0; place < 20; ++place)
    EXPECT_EQ(judged.part[ranking.order[place]] == Part::backed, place < judged.n_backed);
  EXPECT_FALSE(diversify(stored.problem(), ranking).relevance) << "that was of another order";
}

TEST(Diversify, RefusesNumbersOutOfRange) {
  const test::StoredSample stored(twins(4));
  const Ranking given = fisher_score(stored.problem());
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { diversify(stored.problem(), given, {.n_candidates = 0}); }),
      "diversify: 0 candidates; at least 1 is needed");
  EXPECT_THROW(diversify(stored.problem(), given, {.relevance = {.fdr = 0.0}}), InvalidArgument);
}

}  // namespace
}  // namespace tamis
