#include "constraints/numbered_pairs.hpp"

#include <gtest/gtest.h>

#include "support/sample.hpp"

namespace tamis {
namespace {

std::vector<RowPair> all_of(const NumberedPairs& pairs) {
  std::vector<RowPair> list;
  for (Index number = 0; number < pairs.size(); ++number) list.push_back(pairs[number]);
  return list;
}

void expect_the_lists(const ConstraintSet& constraints) {
  EXPECT_EQ(all_of({constraints, LinkKind::must_link}), constraints.must_link_pairs());
  EXPECT_EQ(all_of({constraints, LinkKind::cannot_link}), constraints.cannot_link_pairs());
}

TEST(NumberedPairs, AreTheAscendingListsOfLabelsAndPairs) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const Index per_class : {0, 1, 5, 12})
      for (const auto make :
           {test::blobs, test::blobs_with_pairs, test::blobs_with_weighted_pairs}) {
        SCOPED_TRACE(testing::Message() << seed << " " << per_class);
        const test::Sample sample = make(40, 2, per_class, seed);
        const test::StoredSample stored(sample);
        expect_the_lists(ConstraintSet(stored.problem().known, 40));
      }
}

TEST(NumberedPairs, AreThoseOfPairsAlone) {
  expect_the_lists(ConstraintSet(
      9, {.must_link = {{4, 1, 2.0}, {0, 8}, {4, 5}}, .cannot_link = {{7, 2}, {2, 3, 0.5}}}));
  expect_the_lists(ConstraintSet(3, PairConstraints{}));
}

TEST(NumberedPairs, TakeNoListForAFullyLabeledTable) {
  constexpr Index kRows = 1'000'000;
  Knowledge known;
  for (Index i = 0; i < kRows; ++i) known.labels.push_back(i % 2);
  const ConstraintSet constraints(known, kRows);
  const NumberedPairs must(constraints, LinkKind::must_link);
  const NumberedPairs cannot(constraints, LinkKind::cannot_link);
  EXPECT_EQ(must.size(), 249'999'500'000);
  EXPECT_EQ(must[must.size() - 1], (RowPair{kRows - 3, kRows - 1}));
  EXPECT_EQ(cannot[cannot.size() - 1], (RowPair{kRows - 2, kRows - 1}));
  EXPECT_EQ(cannot[kRows / 2], (RowPair{1, 2}));
}

}  // namespace
}  // namespace tamis
