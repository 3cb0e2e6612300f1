#include "linalg/ordered_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

std::vector<double> random_doubles(Index count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

TEST(OrderedProduct, HasTheBitsOfOneTermAfterTheOtherOnEveryTarget) {
  for (const Index rows : {1, 2, 7, 12})
    for (const Index depth : {1, 2, 33})
      for (const Index cols : {8, 24, 32, 120}) {
        const Index a_apart = depth + 1;
        const Index b_apart = cols + 3;
        const Index out_apart = cols + 5;
        const std::vector<double> a = random_doubles(rows * a_apart, /*seed=*/1);
        const std::vector<double> b = random_doubles(depth * b_apart, /*seed=*/2);
        std::vector<double> expected(rows * out_apart, -1.0);
        for (Index i = 0; i < rows; ++i)
          for (Index c = 0; c < cols; ++c) {
            double sum = 0.0;
            for (Index k = 0; k < depth; ++k) sum += a[i * a_apart + k] * b[k * b_apart + c];
            expected[i * out_apart + c] = sum;
          }
        for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
          SCOPED_TRACE(testing::Message()
                       << rows << " x " << depth << " x " << cols << ", " << name_of(target));
          const TargetLimit limit(target);
          std::vector<double> out(rows * out_apart, -1.0);
          multiply_in_order({a.data(), a_apart}, {b.data(), b_apart}, rows, depth, cols, out.data(),
                            out_apart);
          EXPECT_EQ(out, expected);
        }
      }
}

}  // namespace
}  // namespace tamis
