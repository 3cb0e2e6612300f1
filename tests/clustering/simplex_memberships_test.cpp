#include "clustering/weighted/simplex_memberships.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/naive_weighted_kmeans.hpp"

namespace tamis {
namespace {

std::vector<double> solve(const std::vector<double>& d, const std::vector<double>& b) {
  std::vector<double> a(d.size());
  SimplexMemberships(std::ssize(d)).solve(d, b, a);
  return a;
}

/// Memberships are shares, and no mass can move from one cluster to another and gain.
void expect_optimal(const std::vector<double>& d, const std::vector<double>& b,
                    const std::vector<double>& a) {
  EXPECT_NEAR(std::accumulate(a.begin(), a.end(), 0.0), 1.0, 1e-12);
  double multiplier = HUGE_VAL;  // the smallest derivative
  for (std::size_t q = 0; q < d.size(); ++q) {
    EXPECT_GE(a[q], 0.0);
    EXPECT_LE(a[q], 1.0 + 1e-15);
    multiplier = std::min(multiplier, 2.0 * d[q] * a[q] + b[q]);
  }
  for (std::size_t q = 0; q < d.size(); ++q)
    if (a[q] > 0.0) {
      EXPECT_NEAR(2.0 * d[q] * a[q] + b[q], multiplier, 1e-9 * (1.0 + std::abs(multiplier)));
    }
}

TEST(SimplexMemberships, SatisfyTheConditionsOfKarushKuhnTuckerOnRandomProblems) {
  RandomStream random(/*seed=*/1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Index k = 1 + random.below(8);
    std::vector<double> d;
    std::vector<double> b;
    for (Index q = 0; q < k; ++q) {
      d.push_back(std::exp(4.0 * random.normal()));
      b.push_back(std::floor(10.0 * random.uniform()) * random.uniform());
    }
    const std::vector<double> a = solve(d, b);
    expect_optimal(d, b, a);
    const std::vector<double> naive = test::naive_simplex(d, b);
    for (Index q = 0; q < k; ++q) EXPECT_NEAR(a[q], naive[q], 1e-9);
  }
}

/// Eq. 4.15 of the thesis.
TEST(SimplexMemberships, EqualTheUnclippedFormulaWhereItIsInside) {
  RandomStream random(/*seed=*/2);
  int inside = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> d;
    std::vector<double> b;
    for (int q = 0; q < 4; ++q) {
      d.push_back(1.0 + random.uniform());
      b.push_back(0.5 * random.uniform());
    }
    double reciprocals = 0.0;
    double costs = 0.0;
    for (int q = 0; q < 4; ++q) {
      reciprocals += 1.0 / d[q];
      costs += b[q] / d[q];
    }
    std::vector<double> formula;
    for (int q = 0; q < 4; ++q)
      formula.push_back(1.0 / d[q] / reciprocals + (costs / reciprocals - b[q]) / (2.0 * d[q]));
    if (std::ranges::min(formula) < 0.0) continue;
    ++inside;
    const std::vector<double> a = solve(d, b);
    for (int q = 0; q < 4; ++q) EXPECT_NEAR(a[q], formula[q], 1e-14);
  }
  EXPECT_GT(inside, 300);
}

TEST(SimplexMemberships, ClipWhatTheFormulaWouldMakeNegative) {
  EXPECT_EQ(solve({1.0, 1.0}, {0.0, 5.0}), (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(solve({1.0, 1.0, 1.0}, {7.0, 1.0, 1.0}), (std::vector<double>{0.0, 0.5, 0.5}));
}

TEST(SimplexMemberships, GiveARowAtACentroidToIt) {
  EXPECT_EQ(solve({2.0, 0.0, 3.0}, {0.0, 0.0, 0.0}), (std::vector<double>{0.0, 1.0, 0.0}));
}

TEST(SimplexMemberships, ShareARowEquallyBetweenCentroidsWhereItIs) {
  EXPECT_EQ(solve({0.0, 0.0, 3.0}, {0.0, 0.0, 0.0}), (std::vector<double>{0.5, 0.5, 0.0}));
  EXPECT_EQ(solve({0.0, 0.0}, {1.0, 2.0}), (std::vector<double>{1.0, 0.0}));
}

TEST(SimplexMemberships, LetLinksPullARowFromTheCentroidWhereItIs) {
  // kappa = 1: the second takes (1 - 0) / (2 * 2), the first the rest.
  EXPECT_EQ(solve({0.0, 2.0}, {1.0, 0.0}), (std::vector<double>{0.75, 0.25}));
  // The others would take more than everything before kappa gets to 9.
  EXPECT_EQ(solve({0.0, 1.0, 1.0}, {9.0, 0.0, 0.0}), (std::vector<double>{0.0, 0.5, 0.5}));
}

TEST(SimplexMemberships, SumToOneAtExtremeDistancesAndCosts) {
  for (const double size : {1e-280, 1e-100, 1.0, 1e100, 1e280})
    for (const double cost : {0.0, 1.0, 1e12}) {
      const std::vector<double> a = solve({size, 2.0 * size}, {cost, cost});
      EXPECT_NEAR(a[0], 2.0 / 3.0, 1e-12);
      EXPECT_NEAR(a[1], 1.0 / 3.0, 1e-12);
    }
  EXPECT_EQ(solve({1e-300, 1.0}, {0.0, 0.0}), (std::vector<double>{1.0, 0.0}));
}

}  // namespace
}  // namespace tamis
