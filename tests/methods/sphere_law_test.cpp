#include "methods/relevance/sphere_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "support/golden.hpp"
#include "support/golden_relevance.hpp"

namespace tamis {
namespace {

TEST(SphereLaw, HasTheGoldenTails) {
  for (const char* const name : test::kGoldenNames) {
    const test::GoldenTail golden = test::load_golden_tail(name);
    const SphereLaw law(golden.eigenvalues, golden.dimension);
    for (std::size_t k = 0; k < golden.x.size(); ++k)
      EXPECT_NEAR(law.log_tail(golden.x[k]), golden.log_p[k], 1e-9 * std::abs(golden.log_p[k]))
          << golden.x[k];
  }
}

/// The share of random directions that explain at least x.
double naive_tail(const std::vector<double>& eigenvalues, Index dimension, double x, Index draws) {
  RandomStream random(/*seed=*/1);
  Index as_large = 0;
  for (Index k = 0; k < draws; ++k) {
    double length = 0.0;
    double share = 0.0;
    for (Index i = 0; i < dimension; ++i) {
      const double g = random.normal();
      length += g * g;
      if (i < std::ssize(eigenvalues)) share += eigenvalues[i] * g * g;
    }
    as_large += share >= x * length ? 1 : 0;
  }
  return static_cast<double>(as_large) / static_cast<double>(draws);
}

TEST(SphereLaw, AgreesWithRandomDirections) {
  const Index draws = 40'000;
  for (const auto& eigenvalues :
       {std::vector<double>{1.0}, {5.0, 3.0, 0.1}, {2.0, 2.0, 2.0, 1.0, 0.01}})
    for (const Index dimension : {6, 40}) {
      const SphereLaw law(eigenvalues, dimension);
      double mean = 0.0;
      for (const double s : eigenvalues) mean += s / static_cast<double>(dimension);
      for (const double factor : {0.3, 1.0, 2.0, 3.5}) {
        if (factor * mean >= eigenvalues[0]) continue;
        const double p = naive_tail(eigenvalues, dimension, factor * mean, draws);
        const double error = 4.0 * std::sqrt(p * (1.0 - p) / static_cast<double>(draws));
        EXPECT_NEAR(std::exp(law.log_tail(factor * mean)), p, error + 0.04 * p)
            << dimension << " dimensions, " << factor << " of the mean";
      }
    }
}

TEST(SphereLaw, IsThatOfABetaDistributionForOneDirection) {
  // x = w_1^2 has density x^(-1/2) (1 - x)^((D-3)/2) / B(1/2, (D-1)/2): in five dimensions
  // p = 1 - (3 sqrt(x) - sqrt(x)^3) / 2. The saddle point is up to a sixth too careful there.
  const SphereLaw law({1.0}, 5);
  for (const double x : {0.1, 0.5, 0.9, 0.99, 0.999999}) {
    const double root = std::sqrt(x);
    EXPECT_NEAR(law.log_tail(x), std::log1p(-0.5 * (3.0 * root - root * root * root)), 0.17) << x;
  }
}

TEST(SphereLaw, FallsAndDoesNotDependOnTheScale) {
  const SphereLaw law({4.0, 2.0, 1.0}, 30);
  const SphereLaw larger({400.0, 200.0, 100.0}, 30);
  double last = 0.0;
  for (double x = 0.01; x < 3.95; x += 0.01) {
    const double here = law.log_tail(x);
    EXPECT_LT(here, last + 1e-12) << x;
    EXPECT_NEAR(larger.log_tail(100.0 * x), here, 1e-9 * (1.0 - here));
    last = here;
  }
}

TEST(SphereLaw, HasEnds) {
  const SphereLaw law({3.0, 1.0}, 10);
  EXPECT_EQ(law.log_tail(0.0), 0.0);
  EXPECT_EQ(law.log_tail(-1.0), 0.0);
  EXPECT_EQ(law.log_tail(3.0), kLeastLogP);
  EXPECT_EQ(SphereLaw({3.0, 1.0}, 100'000).log_tail(2.9), kLeastLogP);
  EXPECT_EQ(SphereLaw({}, 10).log_tail(1.0), 0.0) << "a target that is 0";
  EXPECT_EQ(SphereLaw({3.0}, 1).log_tail(3.0), 0.0) << "a line has one direction";
  EXPECT_EQ(SphereLaw({3.0, 2.0}, 2).log_tail(1.9), 0.0) << "all directions explain 2 at least";
  EXPECT_LT(SphereLaw({3.0, 2.0, 1e-30}, 2).log_tail(2.5), 0.0);
}

}  // namespace
}  // namespace tamis
