#include "graphs/smallest_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

constexpr Index kStride = SmallestKeys::kMostRows;

/// Symmetric, infinite of a row with itself; some zero, some equal, some alike but for last bits.
std::vector<float> random_keys(Index rows, RandomStream& random) {
  std::vector<float> keys(kStride * kStride, HUGE_VALF);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < i; ++j) {
      const auto key = static_cast<float>(random.uniform());
      const Index kind = random.below(4);
      keys[i * kStride + j] = keys[j * kStride + i] =
          kind == 0 ? std::round(4.0F * key) : (kind == 1 ? 1.0F + 1e-6F * key : 1e9F * key);
    }
  return keys;
}

/// No other key can be smaller than a chosen one by more than the bits that positions take.
void expect_row(const SmallestKeys& smallest, const float* keys, Index row, Index rows,
                Index chosen) {
  std::vector<bool> is_chosen(rows, false);
  float most = 0.0F;
  for (Index s = 0; s < chosen; ++s) {
    const Index position = smallest.position(row, s);
    ASSERT_LT(position, rows);
    ASSERT_NE(position, row);
    ASSERT_TRUE(s == 0 || position > smallest.position(row, s - 1)) << "ascending, each once";
    is_chosen[position] = true;
    most = std::max(most, keys[position]);
  }
  float least = HUGE_VALF;
  for (Index j = 0; j < rows; ++j)
    if (!is_chosen[j]) least = std::min(least, keys[j]);
  constexpr float kLost = 0x1p-15F;
  EXPECT_GE(smallest.most_of_chosen(row), most);
  EXPECT_LE(smallest.most_of_chosen(row), most * (1.0F + kLost) + 1e-42F);
  EXPECT_LE(smallest.least_of_rest(row), least);
  EXPECT_GE(smallest.least_of_rest(row) * (1.0F + kLost), least);
  EXPECT_LE(most, least * (1.0F + kLost) + 1e-42F);
}

TEST(SmallestKeys, AreChosenForEachRowOnEveryTarget) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    SCOPED_TRACE(std::string(name_of(target)));
    RandomStream random(7);
    for (const Index rows : {2, 3, 17, 100, 256})
      for (const Index chosen : {1, 2, 5, 6, 10, 15, 24}) {
        if (chosen >= rows) continue;
        SCOPED_TRACE(std::to_string(chosen) + " of " + std::to_string(rows));
        const std::vector<float> keys = random_keys(rows, random);
        const SmallestKeys smallest(keys.data(), rows, kStride, chosen);
        for (Index row = 0; row < rows; ++row)
          expect_row(smallest, keys.data() + row * kStride, row, rows, chosen);
      }
  }
}

}  // namespace
}  // namespace tamis
