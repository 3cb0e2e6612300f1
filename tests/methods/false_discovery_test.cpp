#include "methods/relevance/false_discovery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace tamis {
namespace {

/// Whether a hypothesis is rejected at level q: there is a k such that it is among the k smallest p
/// and the k-th of them is at most q k / m.
bool naive_rejects(const std::vector<double>& p, std::size_t s, double q) {
  std::vector<double> sorted = p;
  std::ranges::sort(sorted);
  const auto m = static_cast<double>(p.size());
  for (std::size_t k = p.size(); k > 0; --k)
    if (sorted[k - 1] <= q * static_cast<double>(k) / m) return p[s] <= sorted[k - 1];
  return false;
}

TEST(BenjaminiHochberg, GivesTheLeastLevelThatRejects) {
  RandomStream random(/*seed=*/1);
  std::vector<double> p;
  for (Index k = 0; k < 60; ++k) p.push_back(std::pow(random.uniform(), k % 3 == 0 ? 4.0 : 1.0));
  p.push_back(p[5]);  // a tie
  p.push_back(1.0);
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t s = 0; s < p.size(); ++s) {
    EXPECT_TRUE(naive_rejects(p, s, q[s] * (1.0 + 1e-12)));
    EXPECT_FALSE(naive_rejects(p, s, q[s] * (1.0 - 1e-9)));
  }
  EXPECT_EQ(q[5], q[60]);
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

TEST(BenjaminiHochberg, HasTheNumbersOfAnExampleByHand) {
  const std::vector<double> q = benjamini_hochberg(std::vector<double>{0.02, 0.01, 0.9, 0.03});
  const std::vector<double> expected{0.04, 0.04, 0.9, 0.04};
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(q[s], expected[s], 1e-15);
}

TEST(ForwardStop, IsTheLongestPrefixWhoseMeanIsSmall) {
  RandomStream random(/*seed=*/2);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> p;
    for (Index k = 0; k < 12; ++k) p.push_back(std::pow(random.uniform(), 6.0));
    Index expected = 0;
    for (Index k = 1; k <= 12; ++k) {
      double mean = 0.0;
      for (Index s = 0; s < k; ++s) mean -= std::log(1.0 - p[s]) / static_cast<double>(k);
      if (mean <= 0.1) expected = k;
    }
    EXPECT_EQ(forward_stop(p, 0.1), expected);
  }
}

TEST(ForwardStop, TakesAnEmptyListAndCertainChance) {
  EXPECT_EQ(forward_stop({}, 0.1), 0);
  EXPECT_EQ(forward_stop(std::vector<double>{1.0, 0.0, 0.0}, 0.9), 0);
  EXPECT_EQ(forward_stop(std::vector<double>{0.0, 0.0, 1.0}, 0.1), 2);
  EXPECT_EQ(forward_stop(std::vector<double>{0.15, 0.0}, 0.1), 2) << "a poor start may be paid for";
}

}  // namespace
}  // namespace tamis
