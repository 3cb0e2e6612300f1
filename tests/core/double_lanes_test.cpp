#include "core/double_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

/// What becomes of one number, the same in every lane of two vectors.
template <class Change>
double changed(double x, const Change& change) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector lanes[2] = {Vector::of(x), Vector::of(x)};
    change(lanes);
    for (const Vector& some : lanes)
      for (Index l = 0; l < 4; ++l) EXPECT_EQ(some[l], lanes[0][0]);
    return lanes[0][0];
  });
}

double exponential(double x) {
  return changed(x, [](auto& lanes) TAMIS_KERNEL { exponentiate(lanes); });
}
double power_of_two(double x) {
  return changed(x, [](auto& lanes) TAMIS_KERNEL { raise_two(lanes); });
}

TEST(DoubleLanes, ExponentiateWithinTheStatedError) {
  for (double x = 0.0; x > -707.0; x -= 0.0137)
    EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 4e-14 - 2e-16 * x) << x;
}

TEST(DoubleLanes, RaiseTwoWithinTheStatedError) {
  for (double x = 1020.0; x > -1020.0; x -= 0.0137)
    EXPECT_NEAR(power_of_two(x) / std::exp2(x), 1.0, 4e-14) << x;
  for (double x = 1020.0; x >= -1020.0; x -= 1.0) EXPECT_EQ(power_of_two(x), std::exp2(x)) << x;
}

TEST(DoubleLanes, ExponentiateToTheSameBitsOnEveryTarget) {
  for (double x = 0.0; x > -709.0; x -= 1.0137) {
    const double best = exponential(x);
    for (const Target target : {Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      EXPECT_EQ(exponential(x), best) << x << " on " << name_of(target);
    }
  }
}

TEST(DoubleLanes, ExponentiateTheEndsExactly) {
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(exponential(-708.0), 0.0);
  EXPECT_EQ(exponential(-HUGE_VAL), 0.0);
}

}  // namespace
}  // namespace tamis
