#include "linalg/eigenpairs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace tamis {
namespace {

/// Lower triangle of B'B, B random; above the diagonal there is nonsense.
std::vector<double> lower_products(Index side) {
  RandomStream random(/*seed=*/1);
  std::vector<double> b(side * side);
  for (double& value : b) value = random.normal();
  std::vector<double> lower(side * side, 1e9);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j <= i; ++j) {
      lower[i * side + j] = 0.0;
      for (Index k = 0; k < side; ++k) lower[i * side + j] += b[k * side + i] * b[k * side + j];
    }
  return lower;
}

TEST(LeadingEigenpairs, SatisfyTheirEquationAndComeLargestFirst) {
  for (const Index side : {1, 5, 320}) {
    const std::vector<double> lower = lower_products(side);
    const Index count = std::min<Index>(side, 4);
    const EigenPairs pairs = leading_eigenpairs(lower, side, count);
    ASSERT_EQ(std::ssize(pairs.values), count);
    for (Index a = 0; a < count; ++a) {
      if (a > 0) {
        EXPECT_LE(pairs.values[a], pairs.values[a - 1]);
      }
      double squares = 0.0;
      for (Index i = 0; i < side; ++i) {
        double image = 0.0;
        for (Index j = 0; j < side; ++j)
          image += lower[std::max(i, j) * side + std::min(i, j)] * pairs.vectors[a][j];
        EXPECT_NEAR(image, pairs.values[a] * pairs.vectors[a][i], 1e-8 * pairs.values[0]);
        squares += pairs.vectors[a][i] * pairs.vectors[a][i];
      }
      EXPECT_NEAR(squares, 1.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace tamis
