#include "clustering/ward/list_pass.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/peak_memory.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kHeldValues = Index{1} << 20;

/// Nobody outside of the list is nearer than the bound of the rest, and no bound is too high.
void expect_bounds(NearList list, Index row, const MatrixView& x) {
  std::vector<float> bounds(x.rows(), static_cast<float>(list.bound_of_rest));
  for (const NearCluster& entry : list.listed()) bounds[entry.cluster] = entry.bound;
  bounds[row] = 0.0F;
  for (Index other = 0; other < x.rows(); ++other)
    ASSERT_LE(bounds[other], squared_distance(x, row, other)) << row << " and " << other;
}

TEST(ListPass, BoundsAllDistancesOverManyStretches) {
  const test::StoredSample stored({test::random_table(20'000, 100, /*seed=*/1)});
  const MatrixView& x = stored.problem().matrix;
  const auto lists = [&](int threads) {
    const ThreadLimit limit(threads);
    WardClusters clusters(x);
    const DistanceFilter filter(x, kHeldValues);
    return ListPass(clusters, filter).lists_of({{.cluster = 0}, {.cluster = 19'999}});
  };
  std::vector<NearList> found = lists(1);
  std::vector<NearList> again = lists(3);
  expect_bounds(found[0], 0, x);
  expect_bounds(found[1], 19'999, x);
  for (std::size_t p = 0; p < found.size(); ++p) {
    EXPECT_EQ(found[p].count, NearList::kMost);
    for (Index e = 0; e < found[p].count; ++e)
      EXPECT_EQ(found[p].entries[e].cluster, again[p].entries[e].cluster);
  }
}

TEST(ListPass, HoldsTheDistancesOfOneStretchOnly) {
  const test::StoredSample stored({test::random_table(100'000, 4, /*seed=*/2)});
  const MatrixView& x = stored.problem().matrix;
  WardClusters clusters(x);
  const DistanceFilter filter(x, kHeldValues);
  std::vector<Due> all;
  for (Index row = 0; row < ListPass::kMost; ++row) all.push_back({.cluster = row});
  const ThreadLimit limit(1);
  const Index before = held_memory_bytes();
  ListPass pass(clusters, filter);
  EXPECT_EQ(pass.lists_of(all).size(), all.size());
  const auto all_distances = static_cast<Index>(sizeof(float)) * x.rows() * ListPass::kMost;
  EXPECT_LT(held_memory_bytes() - before, all_distances / 2);
}

}  // namespace
}  // namespace tamis
