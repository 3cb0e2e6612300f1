#include "prepare/left_out_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

using Columns = std::vector<Index>;

// Columns 1, 3 and 4 of five were ranked.
const Columns kRanked = {1, 3, 4};
constexpr Index kAll = 5;

Ranking ranked() {
  return rank_features({2.0, kUndefined, 7.0}, Better::higher, {}, "nothing is known");
}

TEST(AmongAllColumns, PutsTheOthersLastWithoutAScore) {
  const Ranking wide = among_all_columns(ranked(), kRanked, kAll);
  EXPECT_EQ(wide.order, (Columns{4, 1, 3, 0, 2}));
  EXPECT_EQ(wide.scores[1], 2.0);
  EXPECT_EQ(wide.scores[4], 7.0);
  for (const Index column : {0, 2, 3}) EXPECT_TRUE(std::isnan(wide.scores[column])) << column;
  EXPECT_EQ(wide.diagnostics.undefined, (Columns{0, 2, 3}));
}

TEST(AmongAllColumns, ChangesNothingIfThereAreNoOthers) {
  const Ranking same = among_all_columns(ranked(), Columns{0, 1, 2}, 3);
  EXPECT_EQ(same.order, ranked().order);
  EXPECT_EQ(same.diagnostics.undefined, ranked().diagnostics.undefined);
}

TEST(AmongAllColumns, RenumbersWhateverNamesColumns) {
  Ranking narrow = ranked();
  narrow.subset = Columns{2, 0};
  narrow.path = SelectionPath{.features = {2, 0}, .criterion = {1.0, 2.0}};
  narrow.redundancy = Redundancy{.tree = {{0, 2, 0.5}}, .removed = {{1, 0, 0.9}}};
  const Ranking wide = among_all_columns(narrow, kRanked, kAll);
  EXPECT_EQ(*wide.subset, (Columns{4, 1}));
  EXPECT_EQ(wide.path->features, (Columns{4, 1}));
  EXPECT_EQ(wide.redundancy->tree[0].first, 1);
  EXPECT_EQ(wide.redundancy->tree[0].second, 4);
  EXPECT_EQ(wide.redundancy->removed[0].feature, 3);
  EXPECT_EQ(wide.redundancy->removed[0].because_of, 1);
}

TEST(AmongAllColumns, SpreadsWhateverHasAnEntryPerColumn) {
  Ranking narrow = ranked();
  narrow.committee = Committee{.members = 9,
                               .draws = {5, 6, 7},
                               .mean = {1.0, 2.0, 3.0},
                               .place = {2, 3, 1},
                               .place_low = {1.0, 1.0, 1.0},
                               .place_high = {3.0, 3.0, 3.0},
                               .best_share = {0.1, 0.2, 0.3}};
  narrow.relevance = Relevance{
      .p = {0.1, 0.2, 0.3}, .q = {0.4, 0.5, 0.6}, .part = {Part::rest, std::nullopt, Part::backed}};
  narrow.diversity = Diversity{
      .gain = {1.0, 2.0, 3.0}, .nearest = {2, std::nullopt, 0}, .correlation = {0.1, 0.2, 0.3}};
  narrow.terms = {{.name = "spread", .values = {1.0, 2.0, 3.0}}};
  const Ranking wide = among_all_columns(narrow, kRanked, kAll);
  EXPECT_EQ(wide.committee->draws, (Columns{0, 5, 0, 6, 7}));
  EXPECT_EQ(wide.committee->place, (Columns{4, 2, 5, 3, 1}));
  EXPECT_EQ(wide.diversity->nearest, (std::vector<std::optional<Index>>{{}, 4, {}, {}, 1}));
  EXPECT_EQ(wide.relevance->part,
            (std::vector<std::optional<Part>>{{}, Part::rest, {}, {}, Part::backed}));
  for (const auto& entries :
       {wide.committee->mean, wide.committee->place_low, wide.committee->place_high,
        wide.committee->best_share, wide.relevance->p, wide.relevance->q, wide.diversity->gain,
        wide.diversity->correlation, wide.terms->front().values}) {
    ASSERT_EQ(entries.size(), 5U);
    EXPECT_TRUE(std::isnan(entries[0]) && std::isnan(entries[2]));
    EXPECT_FALSE(std::isnan(entries[1]) || std::isnan(entries[3]) || std::isnan(entries[4]));
  }
}

}  // namespace
}  // namespace tamis
