#include "core/peak_memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tamis {
namespace {

TEST(PeakMemory, RemembersWhatWasGivenBack) {
  constexpr Index kBytes = 50'000'000;
  const Index before = peak_memory_bytes();
  EXPECT_EQ(std::vector<char>(kBytes, 'x').back(), 'x');
  EXPECT_GE(peak_memory_bytes(), before + kBytes / 2);
}

TEST(AddressSpace, GrowsWithWhatIsHeld) {
  constexpr Index kBytes = 50'000'000;
  const Index before = address_space_bytes();
  const std::vector<char> held(kBytes, 'x');
  EXPECT_GE(address_space_bytes(), before + kBytes / 2) << held.back();
}

}  // namespace
}  // namespace tamis
