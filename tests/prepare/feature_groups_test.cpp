#include "prepare/feature_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

using Columns = std::vector<Index>;

const Columns kGroups = {0, 1, 2, 1, 2, 2};

Ranking ranked(std::vector<double> scores) {
  return rank_features(std::move(scores), Better::higher, {}, "nothing is known");
}

TEST(WithWholeGroups, PutsTheOthersOfAGroupBehindItsFirst) {
  EXPECT_EQ(with_whole_groups(Columns{3, 0}, kGroups), (Columns{3, 1, 0}));
  EXPECT_EQ(with_whole_groups(Columns{5, 0, 2}, kGroups), (Columns{5, 2, 4, 0}));
  EXPECT_EQ(with_whole_groups(Columns{}, kGroups), Columns{});
  EXPECT_EQ(with_whole_groups(Columns{5, 0}, {}), (Columns{5, 0}));
}

TEST(ByGroups, GivesAGroupThePlaceAndScoreOfItsBestColumn) {
  const Ranking grouped = by_groups(ranked({5, 1, 2, 9, 7, 3}), kGroups);
  EXPECT_EQ(grouped.order, (Columns{3, 1, 4, 5, 2, 0}));
  EXPECT_EQ(grouped.scores, (std::vector<double>{5, 9, 7, 9, 7, 7}));
}

TEST(ByGroups, ChangesNothingWithoutGroups) {
  const Ranking plain = ranked({5, 1, 2, 9});
  EXPECT_EQ(by_groups(plain, {}).order, plain.order);
  EXPECT_EQ(by_groups(plain, Columns{3, 2, 1, 0}).order, plain.order);
  EXPECT_EQ(by_groups(plain, Columns{3, 2, 1, 0}).scores, plain.scores);
}

TEST(ByGroups, DefinesAGroupIfOneOfItsColumnsIs) {
  const Ranking grouped = by_groups(ranked({5, kUndefined, kUndefined, 9, kUndefined, 1}), kGroups);
  EXPECT_EQ(grouped.order, (Columns{3, 1, 0, 5, 2, 4}));
  EXPECT_TRUE(grouped.diagnostics.undefined.empty());
  const Ranking partly = by_groups(ranked({kUndefined, 1, 2}), Columns{0, 1, 1});
  EXPECT_EQ(partly.diagnostics.undefined, Columns{0});
}

TEST(ByGroups, KeepsGroupsWholeInSubsetsAndCounts) {
  Ranking ranking = ranked({5, 1, 2, 9, 7, 3});
  ranking.subset = Columns{4, 0};
  ranking.relevance = Relevance{.n_backed = 2};
  ranking.committee = Committee{.place = {3, 6, 5, 1, 2, 4}};
  const Ranking grouped = by_groups(ranking, kGroups);
  EXPECT_EQ(*grouped.subset, (Columns{4, 5, 2, 0}));
  EXPECT_EQ(grouped.relevance->n_backed, 5);
  EXPECT_EQ(grouped.committee->place, (Columns{6, 2, 5, 1, 3, 4}));
}

}  // namespace
}  // namespace tamis
