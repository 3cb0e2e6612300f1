#include "linalg/eigenbasis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/sample.hpp"

namespace tamis {
namespace {

/// Lower triangle of x'x, the rest unset.
Buffer<double> lower_of(const test::Dense& x) {
  Buffer<double> lower(x.cols * x.cols, NAN);
  for (Index r = 0; r < x.cols; ++r)
    for (Index s = 0; s <= r; ++s) {
      lower[r * x.cols + s] = 0.0;
      for (Index i = 0; i < x.rows; ++i) lower[r * x.cols + s] += x(i, r) * x(i, s);
    }
  return lower;
}

/// u'Av for the matrix of such a triangle.
double form(const Buffer<double>& lower, Index side, const double* u, const double* v) {
  double sum = 0.0;
  for (Index r = 0; r < side; ++r)
    for (Index s = 0; s < side; ++s)
      sum += u[r] * lower[std::max(r, s) * side + std::min(r, s)] * v[s];
  return sum;
}

TEST(Eigenbasis, DiagonalisesTheMatrixLargestFirst) {
  constexpr Index kSide = 70;  // rank 40: thirty eigenvalues are equal
  const Buffer<double> lower = lower_of(test::random_table(40, kSide, /*seed=*/1));
  Buffer<double> unit(kSide * kSide, 0.0);
  for (Index r = 0; r < kSide; ++r) unit[r * kSide + r] = 1.0;
  const Eigenbasis basis = eigenbasis(lower, kSide);
  for (Index a = 0; a < kSide; ++a) {
    EXPECT_TRUE(a == 0 || basis.values[a] <= basis.values[a - 1]);
    for (Index b = 0; b <= a; ++b) {
      const double* const u = &basis.vectors[a * kSide];
      const double* const v = &basis.vectors[b * kSide];
      EXPECT_NEAR(form(lower, kSide, u, v), a == b ? basis.values[a] : 0.0, 1e-10);
      EXPECT_NEAR(form(unit, kSide, u, v), a == b ? 1.0 : 0.0, 1e-12);
    }
  }
}

TEST(Eigenbasis, OfTheFirstFewIsThatOfAll) {
  constexpr Index kSide = 70;  // rank 40
  const Buffer<double> lower = lower_of(test::random_table(40, kSide, /*seed=*/1));
  const Eigenbasis all = eigenbasis(lower, kSide);
  for (const Index count : {1, 2, 5, 70}) {
    const Eigenbasis few = leading_eigenbasis(lower, kSide, count);
    ASSERT_EQ(std::ssize(few.values), count);
    ASSERT_EQ(std::ssize(few.vectors), count * kSide);
    for (Index a = 0; a < count; ++a) {
      EXPECT_NEAR(few.values[a], all.values[a], 1e-11);
      const double* const u = &few.vectors[a * kSide];
      EXPECT_NEAR(std::inner_product(u, u + kSide, u, 0.0), 1.0, 1e-12);
      for (Index r = 0; r < kSide; ++r) {
        double product = 0.0;
        for (Index s = 0; s < kSide; ++s)
          product += lower[std::max(r, s) * kSide + std::min(r, s)] * u[s];
        EXPECT_NEAR(product, few.values[a] * u[r], 1e-10);
      }
    }
  }
}

TEST(Eigenbasis, OfTwoMatricesDiagonalisesBoth) {
  constexpr Index kSide = 30;
  const Buffer<double> first = lower_of(test::random_table(20, kSide, /*seed=*/2));
  const Buffer<double> second = lower_of(test::random_table(50, kSide, /*seed=*/3));
  const Eigenbasis basis = eigenbasis(first, second, kSide);
  for (Index a = 0; a < kSide; ++a)
    for (Index b = 0; b <= a; ++b) {
      const double* const u = &basis.vectors[a * kSide];
      const double* const v = &basis.vectors[b * kSide];
      EXPECT_NEAR(form(first, kSide, u, v), a == b ? basis.values[a] : 0.0, 1e-10);
      EXPECT_NEAR(form(second, kSide, u, v), a == b ? 1.0 : 0.0, 1e-10);
    }
}

}  // namespace
}  // namespace tamis
