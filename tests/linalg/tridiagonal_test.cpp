#include "linalg/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/cpu.hpp"
#include "support/sample.hpp"

namespace tamis {
namespace {

/// Lower triangle of a symmetric matrix of numbers of that size, the rest unset.
Buffer<double> random_lower(Index side, double size) {
  const test::Dense x = test::random_table(side, side, /*seed=*/1);
  Buffer<double> lower(side * side, NAN);
  for (Index r = 0; r < side; ++r)
    for (Index s = 0; s <= r; ++s) lower[r * side + s] = size * x(r, s);
  return lower;
}

/// Q as columns: column k is Q e_k.
std::vector<std::vector<double>> rotation(const Tridiagonal& reduced, Index side) {
  std::vector<std::vector<double>> columns;
  for (Index k = 0; k < side; ++k) {
    columns.emplace_back(side, 0.0)[k] = 1.0;
    reduced.rotate_back(columns.back().data());
  }
  return columns;
}

void expect_reduced(const Buffer<double>& lower, Index side, double size) {
  const Tridiagonal reduced(lower, side);
  const auto q = rotation(reduced, side);
  for (Index k = 0; k < side; ++k)
    for (Index l = 0; l < side; ++l) {
      EXPECT_NEAR(std::inner_product(q[k].begin(), q[k].end(), q[l].begin(), 0.0),
                  k == l ? 1.0 : 0.0, 1e-13);
      double form = 0.0;
      for (Index r = 0; r < side; ++r)
        for (Index s = 0; s < side; ++s)
          form += q[k][r] * lower[std::max(r, s) * side + std::min(r, s)] * q[l][s];
      double expected = 0.0;
      if (k == l) expected = reduced.diagonal()[k];
      if (std::abs(k - l) == 1) expected = reduced.beside()[std::min(k, l)];
      EXPECT_NEAR(form / size, expected / size, 1e-12);
    }
}

TEST(Tridiagonal, IsTheMatrixTurnedByARotation) {
  for (const Index side : {1, 2, 3, 8, 17, 43}) {
    SCOPED_TRACE(side);
    expect_reduced(random_lower(side, 1.0), side, 1.0);
  }
}

TEST(Tridiagonal, HoldsNumbersOfAnySize) {
  for (const double size : {1e-300, 1e-170, 1e170, 1e300}) {
    SCOPED_TRACE(size);
    expect_reduced(random_lower(9, size), 9, size);
  }
}

TEST(Tridiagonal, OfADiagonalMatrixIsThatMatrix) {
  Buffer<double> lower(25, 0.0);
  for (Index r = 0; r < 5; ++r) lower[r * 5 + r] = static_cast<double>(r);
  const Tridiagonal reduced(lower, 5);
  EXPECT_EQ(reduced.diagonal(), (std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0}));
  EXPECT_EQ(reduced.beside(), std::vector<double>(4, 0.0));
}

TEST(Tridiagonal, HasTheSameBitsOnEveryTarget) {
  const Buffer<double> lower = random_lower(37, 1.0);
  const Tridiagonal expected(lower, 37);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    const Tridiagonal reduced(lower, 37);
    EXPECT_EQ(reduced.diagonal(), expected.diagonal());
    EXPECT_EQ(reduced.beside(), expected.beside());
    EXPECT_EQ(rotation(reduced, 37), rotation(expected, 37));
  }
}

}  // namespace
}  // namespace tamis
