#include "report/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

using Texts = std::vector<std::string>;

TEST(LinearTicks, AreRoundAndEncloseTheData) {
  EXPECT_EQ(linear_ticks(0.0, 1.0, 5).texts, (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(linear_ticks(0.32, 0.97, 4).texts, (Texts{"0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(linear_ticks(-3.0, 12.0, 4).texts, (Texts{"-5", "0", "5", "10", "15"}));
  EXPECT_EQ(linear_ticks(0.0, 7e6, 4).texts, (Texts{"0", "2e+06", "4e+06", "6e+06", "8e+06"}));
  EXPECT_EQ(linear_ticks(1e-7, 3e-7, 2).texts, (Texts{"1e-07", "2e-07", "3e-07"}));
}

TEST(LinearTicks, DoNotDrift) {
  const Ticks ticks = linear_ticks(0.0, 1.0, 10);
  ASSERT_EQ(ticks.values.size(), 11U);
  EXPECT_EQ(ticks.values[3], 0.3);
  EXPECT_EQ(ticks.values[7], 0.7);
}

TEST(LinearTicks, GiveASingleValueSomeRoom) {
  for (const double value : {0.0, 3.0, -0.25, 1e9}) {
    const Ticks ticks = linear_ticks(value, value, 4);
    EXPECT_LT(ticks.values.front(), value);
    EXPECT_GT(ticks.values.back(), value);
    EXPECT_LE(ticks.values.size(), 7U);
  }
}

TEST(LinearTicks, EncloseAndStayFewForManyRanges) {
  for (double low = -40.0; low < 40.0; low += 3.7)
    for (double extent = 1e-5; extent < 1e6; extent *= 3.3) {
      const Ticks ticks = linear_ticks(low, low + extent, 5);
      EXPECT_LE(ticks.values.front(), low + extent * 1e-6);
      EXPECT_GE(ticks.values.back(), low + extent * (1 - 1e-6));
      EXPECT_GE(ticks.values.size(), 2U);
      EXPECT_LE(ticks.values.size(), 8U);
    }
}

TEST(IntegerTicks, HaveNoFractions) {
  EXPECT_EQ(integer_ticks(1.0, 3.0, 8).texts, (Texts{"1", "2", "3"}));
  EXPECT_EQ(integer_ticks(1.0, 1.0, 6).texts, (Texts{"1", "2"}));
  EXPECT_EQ(integer_ticks(1.0, 200.0, 6).texts, (Texts{"0", "50", "100", "150", "200"}));
}

TEST(LogarithmicTicks, ArePowersOfTenOrPartsOfThem) {
  EXPECT_EQ(logarithmic_ticks(0.0007, 0.9).texts, (Texts{"0.0001", "0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(logarithmic_ticks(2.0, 30.0).texts, (Texts{"1", "10", "100"}));
  EXPECT_EQ(logarithmic_ticks(1.0, 1.0).texts, (Texts{"1", "2", "5", "10"}));
  const Ticks wide = logarithmic_ticks(1e-9, 1e9);
  EXPECT_LE(wide.values.size(), 6U);
  EXPECT_LE(wide.values.front(), 1e-9);
  EXPECT_GE(wide.values.back(), 1e9);
}

TEST(TicksWithin, KeepsThoseOnTheAxis) {
  EXPECT_EQ(ticks_within(linear_ticks(0.1, 0.9, 4), 0.1, 0.8).texts,
            (Texts{"0.2", "0.4", "0.6", "0.8"}));
}

TEST(Scale, TakesValuesToPlaces) {
  const Scale up(0.0, 10.0, 100.0, 200.0);
  EXPECT_DOUBLE_EQ(up(2.5), 125.0);
  const Scale down(10.0, 0.0, 100.0, 200.0);
  EXPECT_DOUBLE_EQ(down(2.5), 175.0);
  const Scale logarithmic(0.01, 100.0, 0.0, 4.0, Spacing::logarithmic);
  EXPECT_DOUBLE_EQ(logarithmic(10.0), 3.0);
}

TEST(Scale, PutsValuesOutsideAtTheEnd) {
  const Scale scale(0.0, 1.0, 100.0, 200.0);
  EXPECT_EQ(scale(-HUGE_VAL), 100.0);
  EXPECT_EQ(scale(HUGE_VAL), 200.0);
  EXPECT_EQ(scale(1.5), 200.0);
  EXPECT_EQ(Scale(1.0, 1.0, 100.0, 200.0)(1.0), 200.0) << "no extent";
}

}  // namespace
}  // namespace tamis
