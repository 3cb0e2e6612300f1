#include "core/shared_information.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tamis {
namespace {

SharedInformation information(const std::vector<Index>& table, Index columns) {
  return shared_information(SharedCounts::from_table(table, columns));
}

TEST(SharedInformation, GivesThePublishedScoresOfTenLabeledRows) {
  // Zhao, Liu 2007, footnote 4: 1 - NMI of five rows of each class; features that put `first` of
  // the one class and `second` of the other on the same side of their mean.
  struct Published {
    Index first, second;
    double score;
  };
  for (const auto& [first, second, score] : {Published{3, 0, 0.6042},
                                             {5, 2, 0.6042},
                                             {2, 0, 0.7635},
                                             {3, 1, 0.8755},
                                             {1, 0, 0.8920},
                                             {5, 4, 0.8920},
                                             {2, 1, 0.9651},
                                             {5, 0, 0.0},
                                             {2, 2, 1.0}}) {
    SCOPED_TRACE(testing::Message() << first << " and " << second);
    const auto [sides, classes, mutual] = information({first, second, 5 - first, 5 - second}, 2);
    EXPECT_NEAR(1.0 - mutual / std::max(sides, classes), score, 5e-5);
  }
}

TEST(SharedInformation, IsTheEntropyOfAPartitionThatTheOtherRefines) {
  const auto [rows, columns, mutual] = information({2, 0, 0, 0, 5, 3}, 3);
  EXPECT_NEAR(rows, -0.2 * std::log(0.2) - 0.8 * std::log(0.8), 1e-15);
  EXPECT_NEAR(columns, -0.2 * std::log(0.2) - 0.5 * std::log(0.5) - 0.3 * std::log(0.3), 1e-15);
  EXPECT_NEAR(mutual, rows, 1e-15);
}

TEST(SharedInformation, IsExactlyZeroForIndependentPartitionsAndSingleParts) {
  EXPECT_EQ(information({2, 4, 6, 3, 6, 9}, 3).mutual, 0.0);
  EXPECT_EQ(information({5, 7, 0, 0}, 2).first_entropy, 0.0);
  EXPECT_EQ(information({5, 0, 7, 0}, 2).second_entropy, 0.0);
}

TEST(SharedInformation, HasTheSameBitsForEveryOrderOfTheTable) {
  const double value = information({3, 1, 4, 1, 5, 9}, 3).mutual;
  EXPECT_EQ(information({1, 5, 9, 3, 1, 4}, 3).mutual, value);
  EXPECT_EQ(information({4, 3, 1, 9, 1, 5}, 3).mutual, value);
}

TEST(SharedInformation, OfAPartitionWithItselfIsItsEntropyToTheBit) {
  const auto [rows, columns, mutual] = information({7, 0, 0, 0, 11, 0, 0, 0, 3}, 3);
  EXPECT_EQ(rows, mutual);
  EXPECT_EQ(columns, mutual);
}

TEST(SharedInformation, HoldsForCountsOfAnySize) {
  EXPECT_EQ(information({1}, 1).mutual, 0.0);
  EXPECT_EQ(information({1}, 1).first_entropy, 0.0);
  const Index many = Index{1} << 40;
  EXPECT_NEAR(information({many, 0, 0, many}, 2).mutual, std::log(2.0), 1e-13);
  EXPECT_EQ(information({many, many, many, many}, 2).mutual, 0.0);
}

}  // namespace
}  // namespace tamis
