#include "core/ties.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tamis {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBit = 1.0 + 1e-15;

TEST(FirstOfBest, TakesTheFirstThatIsAsGoodAsTheBestButForRounding) {
  EXPECT_EQ(first_of_best(std::vector{0.3, 0.5, 0.5 * kBit}, Better::higher), 1);
  EXPECT_EQ(first_of_best(std::vector{0.3 * kBit, 0.5, 0.3}, Better::lower), 0);
  EXPECT_EQ(first_of_best(std::vector{0.3, 0.5, 0.5 * (1.0 + 1e-9)}, Better::higher), 2);
}

TEST(FirstOfBest, MeasuresRoundingByTheLargestMagnitude) {
  // Criteria that are small differences of large numbers are rounded like these.
  EXPECT_EQ(first_of_best(std::vector{0.0, 1e-12, -5.0}, Better::higher), 0);
  EXPECT_EQ(first_of_best(std::vector{0.0, 1e-12, -0.001}, Better::higher), 1);
  EXPECT_EQ(first_of_best(std::vector{1.0, 1.05, 0.5}, Better::higher, 0.1), 0);
}

TEST(FirstOfBest, LeavesUndefinedCriteriaOutAndTakesInfiniteOnes) {
  EXPECT_EQ(first_of_best(std::vector{kUndefined, 1.0, kUndefined}, Better::lower), 1);
  EXPECT_EQ(first_of_best(std::vector{1.0, kInfinity, kInfinity}, Better::higher), 1);
  EXPECT_EQ(first_of_best(std::vector{kUndefined}, Better::higher), -1);
  EXPECT_EQ(first_of_best({}, Better::higher), -1);
}

TEST(LevelTies, MakesEqualWhatDiffersByRounding) {
  std::vector<double> values{0.5, 1.0, kUndefined, 0.5 * kBit, kBit, 0.5 * (1.0 + 1e-9), kInfinity};
  level_ties(values, Better::higher);
  EXPECT_EQ(values[1], values[4]);
  EXPECT_EQ(values[0], values[3]);
  EXPECT_NE(values[0], values[5]);
  EXPECT_EQ(values[4], kBit);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[6], kInfinity);
}

TEST(LevelTies, JoinsARunByItsFirstAndNotByNeighbours) {
  std::vector<double> chain{1.0, 1.0 + 0.7e-10, 1.0 + 1.4e-10};
  level_ties(chain, Better::lower);
  EXPECT_EQ(chain[0], chain[1]);
  EXPECT_NE(chain[1], chain[2]);
}

std::vector<Index> nearest(std::vector<RowDistance> rows, Index k) {
  keep_nearest(rows, k);
  std::vector<Index> numbers;
  for (const RowDistance& row : rows) numbers.push_back(row.row);
  return numbers;
}

TEST(KeepNearest, GivesLowerRowsOfATieFirst) {
  const std::vector<RowDistance> rows{{2.0, 0}, {1.0 * kBit, 1}, {3.0, 2}, {1.0, 4}, {0.5, 3}};
  EXPECT_EQ(nearest(rows, 2), (std::vector<Index>{3, 1}));
  EXPECT_EQ(nearest(rows, 3), (std::vector<Index>{3, 1, 4}));
  EXPECT_EQ(nearest(rows, 9), (std::vector<Index>{3, 1, 4, 0, 2}));
}

TEST(KeepNearest, TakesCoincidingRowsInOrder) {
  EXPECT_EQ(nearest({{0.0, 5}, {0.0, 2}, {0.0, 7}, {1e-30, 1}}, 2), (std::vector<Index>{2, 5}));
  EXPECT_EQ(nearest({}, 3), std::vector<Index>{});
}

TEST(AreTied, ComparesWithTheLargerNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(are_tied(0.1 + 0.2, 0.3));
  EXPECT_TRUE(are_tied(infinity, infinity));
  EXPECT_FALSE(are_tied(infinity, 1.0));
  EXPECT_FALSE(are_tied(-infinity, infinity));
  EXPECT_FALSE(are_tied(0.0, 1e-300));
  EXPECT_FALSE(are_tied(1.0, 1.0 + 2e-10));
}

}  // namespace
}  // namespace tamis
