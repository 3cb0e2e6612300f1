#include "linalg/principal_axes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tamis {
namespace {

TEST(PrincipalAxes, HaveTheVarianceOfTheRowsDividedByTheirNumber) {
  // Along the first axis the rows are at -3, -1, 1, 3, along the second at 1, -1, -1, 1.
  const std::array<double, 8> values{-3, 1, -1, -1, 1, -1, 3, 1};
  const PrincipalAxes axes = principal_axes(DenseView(values.data(), 4, 2), all_indices(4), 2);
  ASSERT_EQ(axes.eigenvalues.size(), 2);
  EXPECT_NEAR(axes.eigenvalues[0], 5.0, 1e-12);
  EXPECT_NEAR(axes.eigenvalues[1], 1.0, 1e-12);
  EXPECT_NEAR(axes.directions[0][0], 1.0, 1e-12);
}

}  // namespace
}  // namespace tamis
