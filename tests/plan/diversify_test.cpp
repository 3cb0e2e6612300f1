#include "plan/diversify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/relieff.hpp"
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

TEST(Diversify, TakesANumericTarget) {
  test::Sample sample = test::regression(60, 8, /*seed=*/5);
  const test::StoredSample stored(sample);
  const Ranking ranking = diversify(stored.problem(), relieff(stored.problem()),
                                    {.relevance = {.fdr = 0.1, .n_decoys = 0}});
  EXPECT_EQ(ranking.order.front(), 0);
  EXPECT_EQ(ranking.relevance->null, Null::labels);
  for (double& value : sample.values) value = 7.0;
  const test::StoredSample equal(sample);
  EXPECT_EQ(message_of<DataError>([&] { diversify(equal.problem(), variance(equal.problem())); }),
            "diversify: the numeric target is 7 in all 60 rows whose value is known: nothing to "
            "predict");
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

/// The absolute correlation of the ranks of two columns without ties.
double naive_spearman(const test::Sample& sample, Index a, Index b) {
  const auto rank = [&](Index i, Index r) {
    Index below = 0;
    for (Index j = 0; j < 60; ++j) below += sample.x(j, r) < sample.x(i, r);
    return static_cast<double>(below) - 29.5;
  };
  double products = 0.0;
  double squares = 0.0;
  for (Index i = 0; i < 60; ++i) {
    products += rank(i, a) * rank(i, b);
    squares += rank(i, a) * rank(i, a);
  }
  return std::abs(products / squares);
}

TEST(Diversify, NamesTheFeatureAboveThatEachCandidateRepeatsMost) {
  const test::Sample sample = twins(20);
  const test::StoredSample stored(sample);
  for (const double nugget : {0.0, 1.0}) {  // 0: copies add nothing, and are not chosen
    const Ranking ranking = diversify(stored.problem(), fisher_score(stored.problem()),
                                      {.n_candidates = 12, .nugget = nugget});
    ASSERT_TRUE(ranking.diversity);
    const auto& [gain, nearest, correlation] = *ranking.diversity;
    EXPECT_FALSE(nearest[ranking.order[0]]) << "there is nothing above it";
    for (Index place = 1; place < 12; ++place) {
      const Index feature = ranking.order[place];
      const bool is_chosen = !std::isnan(gain[feature]);
      double most = 0.0;
      for (Index above = 0; above < place; ++above)
        if (!std::isnan(gain[ranking.order[above]]))
          most = std::max(most, naive_spearman(sample, feature, ranking.order[above]));
      ASSERT_TRUE(nearest[feature]);
      EXPECT_NEAR(correlation[feature], most, 1e-12);
      EXPECT_NEAR(naive_spearman(sample, feature, *nearest[feature]), most, 1e-12);
      EXPECT_EQ(is_chosen, nugget > 0.0 || place < 6);
    }
    for (Index place = 12; place < 20; ++place) {
      EXPECT_TRUE(std::isnan(gain[ranking.order[place]]));
      EXPECT_FALSE(nearest[ranking.order[place]]);
    }
  }
}

/// Ranks rounded to levels are those ranks where there are fewer rows than levels.
TEST(Diversify, OnLevelsIsThatOfRanksOnASmallTable) {
  for (const double fdr : {1.0, 0.1}) {
    const test::StoredSample stored(twins(20));
    const Ranking given = fisher_score(stored.problem());
    const auto diverse = [&](Ranks ranks) {
      return diversify(stored.problem(), given,
                       {.n_candidates = 12, .ranks = ranks, .relevance = {.fdr = fdr}});
    };
    const Ranking exact = diverse(Ranks::exact);
    const Ranking levels = diverse(Ranks::levels);
    EXPECT_EQ(levels.order, exact.order);
    EXPECT_EQ(levels.scores, exact.scores);
    EXPECT_EQ(levels.diversity->nearest, exact.diversity->nearest);
    for (Index place = 0; place < 12; ++place) {
      const Index feature = exact.order[place];
      EXPECT_NEAR(levels.diversity->gain[feature], exact.diversity->gain[feature], 2e-3);
      if (place > 0) {
        EXPECT_NEAR(levels.diversity->correlation[feature], exact.diversity->correlation[feature],
                    2e-3);
      }
    }
    ASSERT_EQ(levels.relevance.has_value(), fdr < 1.0);
    if (levels.relevance) {
      EXPECT_EQ(levels.relevance->null, exact.relevance->null);
      EXPECT_GE(levels.relevance->n_backed, 1);  // by other decoys
    }
  }
}

TEST(Diversify, OnLevelsTakesConstantCandidatesPairsAndValues) {
  const DiversifyOptions levels{.ranks = Ranks::levels};
  const test::StoredSample constant(test::with_constant_column(twins(8), 4, 0.1));
  EXPECT_EQ(diversify(constant.problem(), variance(constant.problem()), levels).order.back(), 4);

  const test::StoredSample valued(test::regression(60, 8, /*seed=*/5));
  EXPECT_EQ(diversify(valued.problem(), relieff(valued.problem()), levels).order.front(), 0);

  test::Sample paired = twins(8);
  paired.pairs = PairConstraints{.must_link = {{0, 30}}, .cannot_link = {}};
  const test::StoredSample labeled_too(paired);
  const Ranking given = variance(labeled_too.problem());
  EXPECT_EQ(diversify(labeled_too.problem(), given, levels).diagnostics.warnings,
            diversify(labeled_too.problem(), given).diagnostics.warnings);
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
