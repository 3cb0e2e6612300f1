#include "clustering/ward/near_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/peak_memory.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

/// Of so many clusters, the farther the higher their number.
NearList list_of(Index count, Index first) {
  Shortlist nearest;
  for (Index c = count; c > 0; --c) nearest.show(first + c - 1, static_cast<double>(c));
  return nearest.list();
}

std::vector<std::pair<Index, float>> entries_of(NearList list) {
  std::vector<std::pair<Index, float>> entries;
  for (const NearCluster& entry : list.listed()) entries.emplace_back(entry.cluster, entry.bound);
  return entries;
}

TEST(Shortlist, KeepsTheNearestInOrderAndTheLeastOfTheRest) {
  NearList list = list_of(NearList::kMost + 10, /*first=*/0);
  EXPECT_EQ(list.count, NearList::kMost);
  EXPECT_EQ(list.bound_of_rest, static_cast<double>(round_down(NearList::kMost + 1.0)));
  for (Index c = 0; c < list.count; ++c) EXPECT_EQ(list.entries[c].cluster, c);
  EXPECT_FALSE(list.is_used_up());
}

TEST(Shortlist, TakesNobodyBeyondItsLimit) {
  Shortlist nearest(/*limit=*/2.0);
  nearest.show(0, 3.0);
  EXPECT_TRUE(nearest.is_beyond(3.0));
  EXPECT_EQ(nearest.list().count, 0);
  EXPECT_TRUE(nearest.list().is_used_up());
  nearest.show(1, 1.0);
  EXPECT_EQ(nearest.list().count, 1);
  EXPECT_EQ(nearest.list().bound_of_rest, static_cast<double>(round_down(2.0)));
}

TEST(NearLists, GiveBackWhatTheyWereGiven) {
  constexpr Index kClusters = 40;
  NearLists lists(kClusters);
  std::map<Index, NearList> expected;
  RandomStream random(/*seed=*/1, /*member=*/0);
  for (int step = 0; step < 2000; ++step) {
    const Index cluster = random.below(kClusters);
    if (random.below(4) == 0) {
      lists.clear(cluster);
      expected.erase(cluster);
    } else {
      expected[cluster] = list_of(random.below(NearList::kMost + 1), /*first=*/step);
      lists.set(cluster, expected[cluster]);
    }
    for (Index c = 0; c < kClusters; ++c) {
      const NearList& list = expected[c];
      ASSERT_EQ(entries_of(lists.get(c)), entries_of(list));
      ASSERT_EQ(lists.bound_of_rest(c), list.bound_of_rest);
    }
  }
}

#ifndef TAMIS_SANITIZED  // which keep what was freed
TEST(NearLists, TakeLittleMoreMemoryThanTheirEntries) {
  constexpr Index kClusters = 100'000;
  constexpr Index kFew = 16;
  const Index before = held_memory_bytes();
  NearLists lists(kClusters);
  for (Index c = 0; c < kClusters; ++c) lists.set(c, list_of(kFew, c));
  // Full lists in place of three short ones each.
  for (Index c = 0; c < kClusters; c += 3) {
    for (Index gone = c; gone < std::min(c + 3, kClusters); ++gone) lists.clear(gone);
    lists.set(c, list_of(NearList::kMost, c));
  }
  const auto entries = static_cast<Index>(kClusters * kFew * sizeof(NearCluster));
  EXPECT_LT(held_memory_bytes() - before, entries * 3 / 2);
}
#endif

}  // namespace
}  // namespace tamis
