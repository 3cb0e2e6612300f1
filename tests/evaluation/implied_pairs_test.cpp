#include "evaluation/implied_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tamis {
namespace {

const std::vector<Index> kLabels{0, kUnlabeled, 1, 0, kUnlabeled, 2, 1};  // NOLINT(cert-err58-cpp)

using PairSet = std::set<std::pair<Index, Index>>;

PairSet set_of(const std::vector<RowPair>& pairs) {
  PairSet set;
  for (const RowPair& pair : pairs) set.emplace(pair.first, pair.second);
  return set;
}

TEST(ImpliedPairs, AreEveryTwoLabeledRowsOnce) {
  EXPECT_EQ(n_implied_pairs(kLabels), 10);
  PairSet must_link;
  PairSet cannot_link;
  for (Index j = 0; j < std::ssize(kLabels); ++j)
    for (Index i = 0; i < j; ++i)
      if (kLabels[i] != kUnlabeled && kLabels[j] != kUnlabeled)
        (kLabels[i] == kLabels[j] ? must_link : cannot_link).emplace(i, j);
  const PairConstraints all = implied_pairs(kLabels, 1000, 3);
  EXPECT_EQ(set_of(all.must_link), must_link);
  EXPECT_EQ(set_of(all.cannot_link), cannot_link);
  EXPECT_EQ(all.must_link.size() + all.cannot_link.size(), 10U);
}

TEST(ImpliedPairs, AreThereInALargerNumberIfInASmallerOne) {
  for (Index count = 0; count < 10; ++count) {
    const PairConstraints fewer = implied_pairs(kLabels, count, 3);
    const PairConstraints more = implied_pairs(kLabels, count + 1, 3);
    EXPECT_EQ(std::ssize(fewer.must_link) + std::ssize(fewer.cannot_link), count);
    EXPECT_TRUE(std::ranges::includes(set_of(more.must_link), set_of(fewer.must_link)));
    EXPECT_TRUE(std::ranges::includes(set_of(more.cannot_link), set_of(fewer.cannot_link)));
  }
  EXPECT_NE(set_of(implied_pairs(kLabels, 5, 3).cannot_link),
            set_of(implied_pairs(kLabels, 5, 4).cannot_link));
}

TEST(ImpliedPairs, OfManyLabelsAreDrawnWithoutAList) {
  std::vector<Index> labels(3'000'000);
  for (Index i = 0; i < std::ssize(labels); ++i) labels[i] = i % 7;
  EXPECT_EQ(n_implied_pairs(labels), Index{3'000'000} * 2'999'999 / 2);
  const PairConstraints some = implied_pairs(labels, 100, 1);
  for (const RowPair& pair : some.must_link) EXPECT_EQ(labels[pair.first], labels[pair.second]);
  for (const RowPair& pair : some.cannot_link) {
    EXPECT_LT(pair.first, pair.second);
    EXPECT_NE(labels[pair.first], labels[pair.second]);
  }
  EXPECT_EQ(some.must_link.size() + some.cannot_link.size(), 100U);
}

}  // namespace
}  // namespace tamis
