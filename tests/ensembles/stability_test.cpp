#include "ensembles/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Kuncheva's index of two sets as she defines it.
double consistency(const std::vector<Index>& a, const std::vector<Index>& b, double d) {
  double shared = 0.0;
  for (const Index feature : a) shared += std::ranges::count(b, feature) > 0 ? 1.0 : 0.0;
  const auto k = static_cast<double>(a.size());
  return (shared * d - k * k) / (k * (d - k));
}

TEST(Stability, MatchesTheDefinitionsOnRandomSets) {
  RandomStream random(5);
  const Index d = 20;
  std::vector<std::vector<Index>> sets;
  for (int s = 0; s < 7; ++s) sets.push_back(random.sample(d, 6));
  double mean = 0.0;
  for (int a = 0; a < 7; ++a)
    for (int b = 0; b < a; ++b) mean += consistency(sets[a], sets[b], 20.0) / 21.0;
  const Stability result = stability(sets, d);
  EXPECT_EQ(result.sets, 7);
  EXPECT_EQ(result.set_size, 6);
  EXPECT_NEAR(result.kuncheva, mean, 1e-12);
  // For sets of one size both indices are the same number.
  EXPECT_NEAR(result.nogueira, mean, 1e-12);
  EXPECT_LT(result.nogueira_low, result.nogueira);
  EXPECT_NEAR(result.nogueira - result.nogueira_low, result.nogueira_high - result.nogueira, 1e-12);
}

// Worked by hand from theorem 4 and theorem 7 of Nogueira et al. for Z = 110, 100, 110.
TEST(Stability, MatchesAHandComputedExample) {
  const Stability result = stability(std::vector<std::vector<Index>>{{0, 1}, {0}, {0, 1}}, 3);
  const double k = 5.0 / 3;
  const double by_chance = k / 3 * (1 - k / 3);
  const double estimate = 1 - (3.0 / 2 * (2.0 / 3) * (1.0 / 3)) / 3 / by_chance;
  EXPECT_NEAR(result.nogueira, estimate, 1e-12);
  EXPECT_TRUE(std::isnan(result.kuncheva));
  const auto phi = [&](double size, double shared) {
    return (shared / 3 - size * k / 9 - estimate / 2 * (2 * k * size / 9 - size / 3 - k / 3 + 1)) /
           by_chance;
  };
  const double a = phi(2, 1 + 2.0 / 3);
  const double b = phi(1, 1);
  const double mean = (2 * a + b) / 3;
  const double variance = 4.0 / 9 * (2 * (a - mean) * (a - mean) + (b - mean) * (b - mean));
  EXPECT_NEAR(result.nogueira_high - result.nogueira, 1.959963984540054 * std::sqrt(variance),
              1e-12);
}

TEST(Stability, IsOneForEqualSetsAndAboutZeroForChance) {
  EXPECT_DOUBLE_EQ(stability(std::vector<std::vector<Index>>(4, {1, 3}), 10).nogueira, 1.0);
  EXPECT_DOUBLE_EQ(stability(std::vector<std::vector<Index>>(4, {1, 3}), 10).kuncheva, 1.0);
  RandomStream random(1);
  std::vector<std::vector<Index>> sets;
  for (int s = 0; s < 400; ++s) sets.push_back(random.sample(50, 5));
  const Stability chance = stability(sets, 50);
  EXPECT_NEAR(chance.nogueira, 0.0, 0.01);
  EXPECT_LT(chance.nogueira_low, 0.01);
}

TEST(Stability, IsOneWithoutAChoice) {
  EXPECT_EQ(stability(std::vector<std::vector<Index>>(3), 5).nogueira, 1.0);
  EXPECT_EQ(stability(std::vector<std::vector<Index>>(3, {0, 1}), 2).kuncheva, 1.0);
}

TEST(Stability, RefusesASingleSet) {
  EXPECT_EQ(message_of<InvalidArgument>([] { stability(std::vector<std::vector<Index>>{{0}}, 3); }),
            "stability compares at least two sets of features");
}

}  // namespace
}  // namespace tamis
