#include "methods/fs_manifold/capped_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.hpp"

namespace tamis {
namespace {

double squared_distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += (a[r] - b[r]) * (a[r] - b[r]);
  return sum;
}

TEST(CappedWeights, AreTheNearestThatSumUp) {
  RandomStream random(1);
  for (const Index total : {1, 3, 7})
    for (const double scale : {0.01, 1.0, 100.0}) {
      std::vector<double> q(7);
      for (double& value : q) value = scale * random.normal();
      const std::vector<double> p = capped_weights(q, total);
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), static_cast<double>(total), 1e-12);
      for (const double weight : p) EXPECT_TRUE(weight >= 0.0 && weight <= 1.0);
      // No shift of weight between two of them brings p nearer.
      for (std::size_t a = 0; a < 7; ++a)
        for (std::size_t b = 0; b < 7; ++b) {
          std::vector<double> other = p;
          const double moved = std::min({1e-3, 1.0 - p[a], p[b]});
          other[a] += moved;
          other[b] -= moved;
          EXPECT_GE(squared_distance_of(other, q), squared_distance_of(p, q) * (1.0 - 1e-12));
        }
    }
}

TEST(CappedWeights, HaveNoGapWhereTheSmallestSlopesHaveAllWeight) {
  const std::vector<double> gradient{-1.0, -5.0, -2.0};
  EXPECT_EQ(weight_gap(std::vector{0.0, 1.0, 1.0}, gradient, 2), 0.0);
  EXPECT_EQ(weight_gap(std::vector{1.0, 1.0, 0.0}, gradient, 2), 1.0);
}

}  // namespace
}  // namespace tamis
