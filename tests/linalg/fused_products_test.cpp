#include "linalg/fused_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

std::vector<float> random_floats(Index count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.normal());
  return numbers;
}

constexpr Target kFusedTargets[] = {Target::avx512, Target::avx2};

TEST(FusedProducts, OfColumnsHaveTheBitsOfOneFusedOperationAfterTheOther) {
  constexpr Index kRows = 77;
  const std::vector<Index> depths = {32, 4, 40};
  const std::vector<float> v = random_floats(kRows * kFusedWidth, /*seed=*/1);
  for (const Index count : {kFusedColumns, 3 * kFusedColumns}) {
    const std::vector<float> table = random_floats(kRows * count, /*seed=*/2);
    const std::vector<float> before = random_floats(count * kFusedWidth, /*seed=*/3);
    std::vector<float> expected = before;
    for (Index s = 0; s < count; ++s)
      for (Index c = 0; c < kFusedWidth; ++c) {
        Index row = 0;
        for (const Index depth : depths) {
          float sum = 0.0F;
          for (const Index end = row + depth; row < end; ++row)
            sum = std::fma(table[s * kRows + row], v[row * kFusedWidth + c], sum);
          expected[s * kFusedWidth + c] += sum;
        }
      }
    for (const Target target : kFusedTargets) {
      const TargetLimit limit(target);
      if (!has_fused_products()) continue;
      SCOPED_TRACE(testing::Message() << count << " columns, " << name_of(target));
      std::vector<float> out = before;
      add_fused_columns({table.data(), kRows}, count, v.data(), depths, out.data());
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(FusedProducts, OfRowsHaveTheBitsOfOneFusedOperationAfterTheOther) {
  for (const Index depth : {1, 77, 300})
    for (const Index count : {1, 16, 37, 96}) {
      const Index apart = count + 3;
      const std::vector<float> v = random_floats(depth * kFusedWidth, /*seed=*/1);
      const std::vector<float> table = random_floats(depth * apart, /*seed=*/2);
      const Index sums_apart = count + 5;
      const std::vector<float> before = random_floats(sums_apart * kFusedWidth, /*seed=*/3);
      std::vector<float> expected = before;
      for (Index s = 0; s < count; ++s)
        for (Index c = 0; c < kFusedWidth; ++c)
          for (Index k = 0; k < depth; ++k) {
            float& sum = expected[c * sums_apart + s];
            sum = std::fma(table[k * apart + s], v[k * kFusedWidth + c], sum);
          }
      for (const Target target : kFusedTargets) {
        const TargetLimit limit(target);
        if (!has_fused_products()) continue;
        SCOPED_TRACE(testing::Message()
                     << count << " rows, depth " << depth << ", " << name_of(target));
        std::vector<float> out = before;
        continue_fused_rows({table.data(), apart}, count, v.data(), depth,
                            {out.data(), sums_apart});
        EXPECT_EQ(out, expected);
      }
    }
}

TEST(FusedProducts, AreNotThereWithoutFusedOperations) {
  const TargetLimit limit(Target::baseline);
  EXPECT_FALSE(has_fused_products());
}

}  // namespace
}  // namespace tamis
