#include "io/blocks.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tamis {
namespace {

TEST(Blocks, HoldWhatWasPutThereOneByOneAndTogether) {
  std::vector<double> items(1'200'000);
  std::iota(items.begin(), items.end(), 0.5);
  Blocks<double> blocks;
  for (std::size_t i = 0; i < 100; ++i) blocks.push_back(items[i]);
  blocks.append(std::span(items).subspan(100));
  ASSERT_EQ(blocks.size(), items.size());
  blocks.free_before(700'000);
  EXPECT_EQ(blocks[700'000], items[700'000]);
  EXPECT_EQ(blocks[1'199'999], items.back());
}

TEST(Blocks, AreJoinedInTheirOrder) {
  std::vector<int> items(2'500'000);
  std::iota(items.begin(), items.end(), 0);
  Blocks<int> blocks;
  for (const int item : items) blocks.push_back(item);
  EXPECT_EQ(std::move(blocks).joined(), items);
  EXPECT_TRUE(Blocks<int>().joined().empty());
}

}  // namespace
}  // namespace tamis
