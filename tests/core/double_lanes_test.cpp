#include "core/double_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

/// exp of one number, in every lane of two vectors.
double exponential(double x) {
  DoubleLanes lanes[2];
  for (DoubleLanes& some : lanes)
    for (Index l = 0; l < kShortLanes<double>; ++l) some[l] = x;
  exponentiate(lanes);
  for (const DoubleLanes& some : lanes)
    for (Index l = 0; l < kShortLanes<double>; ++l) EXPECT_EQ(some[l], lanes[0][0]);
  return lanes[0][0];
}

TEST(DoubleLanes, ExponentiateWithinTheStatedError) {
  for (double x = 0.0; x > -707.0; x -= 0.0137)
    EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 3e-13) << x;
}

TEST(DoubleLanes, ExponentiateTheEndsExactly) {
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(exponential(-708.0), 0.0);
  EXPECT_EQ(exponential(-HUGE_VAL), 0.0);
}

TEST(DoubleLanes, SumLoadAndStore) {
  const double values[] = {1.0, 2.0, 4.0, 8.0};
  DoubleLanes lanes;
  load_lanes(values, lanes);
  EXPECT_EQ(sum_of_lanes(lanes), 15.0);
  double copies[4] = {};
  store_lanes(lanes, copies);
  EXPECT_EQ(copies[2], 4.0);
}

}  // namespace
}  // namespace tamis
