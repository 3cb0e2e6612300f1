#include "evaluation/studentized_range.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

TEST(StudentizedRange, HasThePublishedQuantilesForInfiniteFreedom) {
  // Standard table of upper 5 % points, 2 to 20 groups.
  constexpr std::array kTable{2.772, 3.314, 3.633, 3.858, 4.030, 4.170, 4.286, 4.387, 4.474, 4.552,
                              4.622, 4.685, 4.743, 4.796, 4.845, 4.891, 4.934, 4.974, 5.012};
  for (Index groups = 2; groups <= 20; ++groups)
    EXPECT_NEAR(studentized_range_quantile(0.95, groups), kTable[groups - 2], 6e-4) << groups;
}

TEST(StudentizedRange, GivesTheCriticalValuesOfDemsar) {
  // JMLR 7, 2006, Table 5(a): quantiles divided by sqrt(2), 2 to 10 methods, as printed.
  constexpr std::array kLevel5{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  constexpr std::array kLevel10{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  for (Index k = 2; k <= 10; ++k) {
    EXPECT_NEAR(studentized_range_quantile(0.95, k) / std::numbers::sqrt2, kLevel5[k - 2], 1.1e-3);
    EXPECT_NEAR(studentized_range_quantile(0.90, k) / std::numbers::sqrt2, kLevel10[k - 2], 1.1e-3);
  }
}

TEST(StudentizedRange, HasThePublishedQuantilesForFewDegreesOfFreedom) {
  EXPECT_NEAR(studentized_range_quantile(0.95, 2, 1), 17.97, 5e-3);
  EXPECT_NEAR(studentized_range_quantile(0.95, 3, 10), 3.877, 6e-4);
  EXPECT_NEAR(studentized_range_quantile(0.99, 4, 20), 5.018, 6e-4);
  EXPECT_NEAR(studentized_range_quantile(0.95, 20, 120), 5.126, 2e-2);
}

TEST(StudentizedRange, OfTwoGroupsIsThatOfANormalDifference) {
  for (const double q : {0.1, 1.0, 2.5, 6.0})
    EXPECT_NEAR(studentized_range_cdf(q, 2), std::erf(q / 2.0), 1e-13);
}

TEST(StudentizedRange, QuantileAndProbabilityAreInverse) {
  for (const Index groups : {2, 7, 20, 100})
    for (const double p : {0.01, 0.5, 0.9, 0.999})
      EXPECT_NEAR(studentized_range_cdf(studentized_range_quantile(p, groups), groups), p, 1e-10);
  EXPECT_EQ(studentized_range_cdf(0.0, 3), 0.0);
  EXPECT_EQ(studentized_range_cdf(-1.0, 3), 0.0);
  EXPECT_NEAR(studentized_range_cdf(1e6, 3), 1.0, 1e-12);
}

TEST(StudentizedRange, RefusesWhatHasNoRange) {
  EXPECT_EQ(message_of<InvalidArgument>([] { studentized_range_cdf(1.0, 1); }),
            "a range needs at least 2 groups, not 1");
  EXPECT_EQ(message_of<InvalidArgument>([] { studentized_range_cdf(1.0, 3, 0.5); }),
            "degrees of freedom = 0.5 is not in [1, inf]");
  EXPECT_EQ(message_of<InvalidArgument>([] { studentized_range_cdf(std::nan(""), 3); }),
            "a range cannot be compared with nan");
  EXPECT_EQ(message_of<InvalidArgument>([] { studentized_range_quantile(1.0, 3); }),
            "probability = 1 is not in (0, 1)");
}

}  // namespace
}  // namespace tamis
