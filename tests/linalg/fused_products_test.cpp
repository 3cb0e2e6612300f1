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

std::vector<float> naive_sums(const FusedOperand& z, Index count, const std::vector<float>& v,
                              Index depth, std::vector<float> sums) {
  for (Index s = 0; s < count; ++s)
    for (Index c = 0; c < kFusedWidth; ++c) {
      float sum = 0.0F;
      for (Index k = 0; k < depth; ++k)
        sum = std::fma(z.first[s * z.across + k * z.along], v[k * kFusedWidth + c], sum);
      sums[s * kFusedWidth + c] += sum;
    }
  return sums;
}

TEST(FusedProducts, HaveTheBitsOfOneFusedOperationAfterTheOther) {
  constexpr Index kDepth = 77;
  const std::vector<float> v = random_floats(kDepth * kFusedWidth, /*seed=*/1);
  for (const Index count : {1, 4, 8, 9, 23}) {
    const std::vector<float> table = random_floats(kDepth * count, /*seed=*/2);
    const std::vector<float> before = random_floats(count * kFusedWidth, /*seed=*/3);
    for (const FusedOperand& z :
         {FusedOperand{table.data(), kDepth, 1}, FusedOperand{table.data(), 1, count}})
      for (const Target target : {Target::avx512, Target::avx2}) {
        const TargetLimit limit(target);
        if (!has_fused_products()) continue;
        SCOPED_TRACE(testing::Message() << count << " sums, " << name_of(target));
        std::vector<float> out = before;
        add_fused_products(z, count, v.data(), kDepth, out.data());
        EXPECT_EQ(out, naive_sums(z, count, v, kDepth, before));
      }
  }
}

TEST(FusedProducts, AreNotThereWithoutFusedOperations) {
  const TargetLimit limit(Target::baseline);
  EXPECT_FALSE(has_fused_products());
}

}  // namespace
}  // namespace tamis
