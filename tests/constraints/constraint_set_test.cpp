#include "constraints/constraint_set.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using test::StoredSample;

/// Four rows, of which 0 and 1 have labels of two classes.
Knowledge four_rows(PairConstraints pairs) {
  return {.sample_ids = {"a", "b", "c", "d"},
          .labels = {0, 1, kUnlabeled, kUnlabeled},
          .class_names = {"red", "green"},
          .pairs = std::move(pairs)};
}

void expect_same_pairs(const test::RowMatrix& links, const std::vector<RowPair>& pairs) {
  std::vector<RowPair> expected;
  for (Index i = 0; i < links.n; ++i)
    for (Index j = i + 1; j < links.n; ++j)
      if (links(i, j) > 0.0) expected.push_back({i, j, links(i, j)});
  EXPECT_EQ(pairs, expected);
}

TEST(ConstraintSet, ListsThePairsOfTheGoldenProblems) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const test::Golden golden = test::load_golden(name);
    const StoredSample stored(golden.sample);
    const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
    EXPECT_EQ(constraints.must_link_pairs(), golden.must_link);
    EXPECT_EQ(constraints.cannot_link_pairs(), golden.cannot_link);
  }
}

TEST(ConstraintSet, UnitesLabelsAndPairsEachPairOnce) {
  const test::Sample sample = test::blobs_with_pairs(30, 2, 3, /*seed=*/1);
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  expect_same_pairs(naive_must_links(sample), constraints.must_link_pairs());
  expect_same_pairs(naive_cannot_links(sample), constraints.cannot_link_pairs());
  EXPECT_EQ(constraints.n_must_link(), std::ssize(constraints.must_link_pairs()));
  EXPECT_EQ(constraints.n_cannot_link(), std::ssize(constraints.cannot_link_pairs()));
}

TEST(ConstraintSet, AnswersForEveryPairOfRowsInBothOrders) {
  const test::Sample sample = test::blobs_with_pairs(20, 2, 2, /*seed=*/1);
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  const test::RowMatrix must = naive_must_links(sample);
  const test::RowMatrix cannot = naive_cannot_links(sample);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 20; ++j) {
      if (i == j) continue;
      EXPECT_EQ(constraints.are_must_linked(i, j), must(i, j) > 0.0) << i << " " << j;
      EXPECT_EQ(constraints.are_cannot_linked(i, j), cannot(i, j) > 0.0) << i << " " << j;
    }
}

TEST(ConstraintSet, AddsUpTheWeightsOfPairs) {
  for (const test::Sample& sample : {test::blobs_with_pairs(20, 2, 2, /*seed=*/1),
                                     test::blobs_with_weighted_pairs(20, 2, 2, /*seed=*/1)}) {
    const ConstraintSet constraints({.labels = sample.labels, .pairs = sample.pairs}, 20);
    const test::RowMatrix must = naive_must_links(sample);
    const test::RowMatrix cannot = naive_cannot_links(sample);
    EXPECT_EQ(constraints.cannot_link_weights(), naive_degrees(cannot));
    const auto half_of_all = [](const test::RowMatrix& links) {
      return 0.5 * std::accumulate(links.values.begin(), links.values.end(), 0.0);
    };
    EXPECT_EQ(constraints.must_link_weight(), half_of_all(must));
    EXPECT_EQ(constraints.cannot_link_weight(), half_of_all(cannot));
    expect_same_pairs(must, constraints.must_link_pairs());
    expect_same_pairs(cannot, constraints.cannot_link_pairs());
    EXPECT_EQ(constraints.n_must_link(), std::ssize(constraints.must_link_pairs()));
    EXPECT_EQ(constraints.n_cannot_link(), std::ssize(constraints.cannot_link_pairs()));
  }
}

TEST(ConstraintSet, TakesPairsAsGivenWithoutClosingThem) {
  const ConstraintSet constraints(four_rows({.must_link = {{0, 2}, {2, 3}}}), 4);
  EXPECT_FALSE(constraints.are_must_linked(0, 3));
  EXPECT_EQ(constraints.n_must_link(), 2);
}

TEST(ConstraintSet, DropsPairsThatLabelsImplyAlready) {
  const ConstraintSet constraints(four_rows({.cannot_link = {{1, 0}, {0, 2}, {2, 0}}}), 4);
  EXPECT_EQ(std::ssize(constraints.extra_cannot_link()), 1);
  EXPECT_EQ(constraints.n_cannot_link(), 2);
}

TEST(ConstraintSet, IsEmptyWithoutLabelsAndPairs) {
  Knowledge known = four_rows({});
  known.labels.clear();
  const ConstraintSet constraints(known, 4);
  EXPECT_EQ(constraints.n_must_link() + constraints.n_cannot_link(), 0);
  EXPECT_EQ(constraints.cannot_link_weights(), std::vector<double>(4, 0.0));
}

TEST(ConstraintSet, HoldsPairsWithoutLabelsEachOnceWithTheLargerWeight) {
  const ConstraintSet constraints(
      5, {.must_link = {{3, 1}, {0, 4}, {1, 3, 2.0}}, .cannot_link = {{4, 2}}});
  EXPECT_EQ(constraints.must_link_pairs(), (std::vector<RowPair>{{0, 4}, {1, 3, 2.0}}));
  EXPECT_EQ(constraints.cannot_link_pairs(), (std::vector<RowPair>{{2, 4}}));
  EXPECT_TRUE(constraints.are_must_linked(3, 1));
  EXPECT_FALSE(constraints.are_cannot_linked(1, 3));
  EXPECT_EQ(constraints.cannot_link_weights(), (std::vector<double>{0, 0, 1, 0, 1}));
  EXPECT_TRUE(constraints.classes().empty());
}

TEST(ConstraintSet, RefusesACannotLinkAcrossAChainOfMustLinksNamingItsRows) {
  const Knowledge known = four_rows({.must_link = {{0, 2}, {2, 3}}, .cannot_link = {{3, 0}}});
  EXPECT_EQ(message_of<DataError>([&] { ConstraintSet(known, 4); }),
            "rows 3 (d) and 0 (a) contradict: a cannot-link parts them, but must-links and labels "
            "put them together");
}

TEST(ConstraintSet, RefusesACannotLinkWithinAClass) {
  Knowledge known = four_rows({.cannot_link = {{0, 3}}});
  known.labels = {0, 1, kUnlabeled, 0};
  EXPECT_THROW(ConstraintSet(known, 4), DataError);
}

TEST(ConstraintSet, RefusesMustLinksThatMergeTwoClassesNamingRowsAndClasses) {
  const Knowledge known = four_rows({.must_link = {{0, 2}, {2, 3}, {3, 1}}});
  EXPECT_EQ(
      message_of<DataError>([&] { ConstraintSet(known, 4); }),
      "rows 3 (d) and 1 (b) contradict: a must-link joins them, but labels and must-links put "
      "the first into class red and the second into class green");
}

TEST(ConstraintSet, RemembersTheClassOfRowsThatMustLinksBroughtToIt) {
  for (const std::vector<RowPair>& chain :
       {std::vector<RowPair>{{2, 0}, {2, 1}}, {{0, 2}, {1, 2}}, {{2, 3}, {3, 1}, {2, 0}}})
    EXPECT_THROW(ConstraintSet(four_rows({.must_link = chain}), 4), DataError);
}

TEST(ConstraintSet, RefusesToListMorePairsThanFitInMemory) {
  constexpr Index kRows = 20'000;
  const ConstraintSet constraints({.labels = std::vector<Index>(kRows, 0)}, kRows);
  EXPECT_EQ(constraints.n_must_link(), 199'990'000);
  EXPECT_NE(message_of<DataError>([&] { constraints.must_link_pairs(); }).find("199990000"),
            std::string::npos);
}

}  // namespace
}  // namespace tamis
