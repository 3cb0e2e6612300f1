#include "levels/remainder.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace tamis {
namespace {

TEST(Remainder, IsThatOfDivision) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  RandomStream random(4);
  for (const std::uint64_t divisor :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{20'000},
        std::uint64_t{1} << 41, (std::uint64_t{1} << 41) - 1, kMost}) {
    const Remainder remainder(divisor);
    for (const std::uint64_t value : {std::uint64_t{0}, divisor - 1, divisor, divisor + 1, kMost})
      EXPECT_EQ(remainder(value), value % divisor) << value << " by " << divisor;
    for (int k = 0; k < 1000; ++k) {
      const std::uint64_t value = random.bits();
      ASSERT_EQ(remainder(value), value % divisor) << value << " by " << divisor;
    }
  }
}

}  // namespace
}  // namespace tamis
