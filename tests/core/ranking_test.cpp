#include "tamis/core/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Order = std::vector<Index>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(RankFeatures, PutsTheBestFirst) {
  EXPECT_EQ(rank_features({0.3, 0.1, 0.2}, Better::lower, {}, "").order, (Order{1, 2, 0}));
  EXPECT_EQ(rank_features({0.3, 0.1, 0.2}, Better::higher, {}, "").order, (Order{0, 2, 1}));
}

TEST(RankFeatures, BreaksTiesByColumnInBothDirections) {
  EXPECT_EQ(rank_features({1, 0, 1, 0}, Better::lower, {}, "").order, (Order{1, 3, 0, 2}));
  EXPECT_EQ(rank_features({1, 0, 1, 0}, Better::higher, {}, "").order, (Order{0, 2, 1, 3}));
}

TEST(RankFeatures, TreatsZerosOfEitherSignAsEqual) {
  EXPECT_EQ(rank_features({0.0, -0.0, 0.0}, Better::lower, {}, "").order, (Order{0, 1, 2}));
}

TEST(RankFeatures, PutsUndefinedScoresLastAndListsThem) {
  for (const Better better : {Better::lower, Better::higher}) {
    const Ranking ranking =
        rank_features({kUndefined, kInfinity, kUndefined, -kInfinity, 0.0}, better, {}, "");
    EXPECT_EQ(ranking.order,
              better == Better::lower ? (Order{3, 4, 1, 0, 2}) : (Order{1, 4, 3, 0, 2}));
    EXPECT_EQ(ranking.diagnostics.undefined, (Order{0, 2}));
  }
}

TEST(RankFeatures, KeepsScoresInColumnOrderAndTheDirection) {
  const Ranking ranking = rank_features({3, 1, 2}, Better::higher, {}, "");
  EXPECT_EQ(ranking.scores, (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(ranking.better, Better::higher);
  EXPECT_FALSE(ranking.subset.has_value());
}

TEST(RankFeatures, KeepsWhatTheMethodNoticed) {
  Diagnostics noticed{.edges = 12, .warnings = {"few edges"}};
  const Ranking ranking = rank_features({1, 2}, Better::lower, noticed, "");
  EXPECT_EQ(ranking.diagnostics.edges, 12);
  EXPECT_EQ(ranking.diagnostics.warnings, std::vector<std::string>{"few edges"});
}

TEST(RankFeatures, RefusesARankingOfNothingButUndefinedScores) {
  try {
    rank_features({kUndefined, kUndefined}, Better::lower, {}, "every column is constant");
    FAIL() << "ranked by column index";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "every column is constant");
  }
}

TEST(RankPath, GivesPlacesToTheChosenThenToTheOthersByTheirCriterion) {
  const Ranking ranking = rank_path({.features = {3, 1}, .criterion = {0.9, 0.4}},
                                    std::vector{0.2, kUndefined, 0.3, 0.9, kUndefined, 0.2},
                                    Better::higher, {.warnings = {"a word"}}, "");
  EXPECT_EQ(ranking.order, (Order{3, 1, 2, 0, 5, 4}));
  EXPECT_EQ(std::vector(ranking.scores.begin(), ranking.scores.begin() + 4),
            (std::vector<double>{4, 2, 3, 1}));
  EXPECT_EQ(ranking.better, Better::lower);
  EXPECT_EQ(ranking.diagnostics.undefined, Order{4});
  EXPECT_EQ(ranking.diagnostics.warnings, std::vector<std::string>{"a word"});
  EXPECT_EQ(ranking.path->features, (Order{3, 1}));
  EXPECT_EQ(ranking.path->criterion, (std::vector<double>{0.9, 0.4}));
}

TEST(RankPath, FollowsACriterionThatIsToBeLowAndAnEmptyPath) {
  EXPECT_EQ(rank_path({}, std::vector{0.2, 0.1}, Better::lower, {}, "").scores,
            (std::vector<double>{2, 1}));
}

TEST(RankPath, RefusesARankingOfNothingButUndefinedColumns) {
  EXPECT_THROW(rank_path({}, std::vector{kUndefined}, Better::lower, {}, "why"), DataError);
}

TEST(Better, HasAName) {
  EXPECT_EQ(word_of(Better::lower), "lower");
  EXPECT_EQ(word_of(Better::higher), "higher");
}

}  // namespace
}  // namespace tamis
