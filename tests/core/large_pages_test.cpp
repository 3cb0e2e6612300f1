#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/peak_memory.hpp"

namespace tamis {
namespace {

#if defined(__GLIBC__) && !defined(TAMIS_SANITIZED)
TEST(GiveBackFreed, LeavesNoMemoryWithTheCLibraryBesideALargeTable) {
  constexpr Index kBlocks = 150;
  constexpr Index kBlock = 64'000;  // each too small to come from the system by itself
  const Index before = held_memory_bytes();
  std::vector<std::vector<char>> blocks;
  for (Index b = 0; b < kBlocks; ++b) blocks.emplace_back(kBlock, 'x');
  blocks.erase(blocks.begin(), blocks.end() - 1);  // the last one keeps the heap from shrinking
  EXPECT_GT(held_memory_bytes() - before, kBlocks * kBlock / 2);
  give_back_freed(/*values_of_table=*/100);
  EXPECT_GT(held_memory_bytes() - before, kBlocks * kBlock / 2);
  give_back_freed(/*values_of_table=*/100'000'000);
  EXPECT_LT(held_memory_bytes() - before, kBlocks * kBlock / 10) << blocks[0][0];
}
#endif

TEST(GiveBack, KeepsTheOwnersMemory) {
  std::vector<int> numbers(100'000, 1);
  give_back(numbers.data(), numbers.size() * sizeof(int));
  numbers[50'000] = 2;
  EXPECT_EQ(numbers[50'000], 2);
}

}  // namespace
}  // namespace tamis
