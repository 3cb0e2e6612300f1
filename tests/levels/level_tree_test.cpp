#include "levels/level_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "levels/code_facts.hpp"
#include "levels/level_counts.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {
namespace {

using Values = std::vector<double>;

/// The level of the average rank of each value, by counting.
std::vector<int> naive_codes(const Values& values) {
  const auto n = static_cast<double>(values.size());
  std::vector<int> codes;
  for (const double value : values) {
    double twice = -n;
    for (const double other : values) twice += other < value ? 2.0 : other == value ? 1.0 : 0.0;
    codes.push_back(static_cast<int>(std::round(4095.0 * twice / (2.0 * n))));
  }
  return codes;
}

struct Coded {
  std::vector<int> codes = {};
  std::vector<CodeCount> counts = {};
  int passes = 0;  ///< that count what is in slots
};

Coded coded(const Values& values) {
  const DenseView<double> table(values.data(), std::ssize(values), 1);
  ColumnScan scan(1);
  scan.update(table);
  std::vector<LevelTree> trees{LevelTree(scan.column(0), table.rows())};
  Coded result;
  while (trees[0].new_slots() > 0) {
    LevelCounts counts(trees);
    counts.update(table);
    trees[0].accept(counts.column(0), table.rows());
    ++result.passes;
  }
  result.counts = trees[0].assign_codes(table.rows());
  SlotFinder finder;
  finder.open(trees[0]);
  for (const double value : values) result.codes.push_back(finder.code_of(value_key(value)));
  return result;
}

Values normal_values(Index count, std::uint64_t seed) {
  RandomStream random(seed);
  Values values;
  for (Index i = 0; i < count; ++i) values.push_back(random.normal());
  return values;
}

TEST(ValueKey, HasTheOrderOfValues) {
  const Values values{-1e140, -2.5, -1.0, -5e-324, 0.0, 5e-324, 1e-300, 1.0, 1.0 + 1e-15, 1e140};
  for (std::size_t i = 1; i < values.size(); ++i)
    EXPECT_LT(value_key(values[i - 1]), value_key(values[i]));
  EXPECT_EQ(value_key(-0.0), value_key(0.0));
}

TEST(LevelOf, IsSymmetricAndWithinItsRange) {
  for (const std::int64_t n : {1, 2, 3, 1000, 5'000'000})
    for (const std::int64_t begin : {std::int64_t{0}, n / 3, n - 1}) {
      EXPECT_EQ(level_of(begin, begin + 1, n), -level_of(n - begin - 1, n - begin, n));
      EXPECT_LE(std::abs(level_of(begin, begin + 1, n)), kLargestCode);
    }
  EXPECT_EQ(level_of(0, 5'000'000, 5'000'000), 0);
  EXPECT_EQ(level_of(0, 1, 5'000'000), -2047);
}

TEST(LevelTree, IsExactOnFewRows) {
  for (const Index rows : {2, 3, 40, 700, 2047}) {
    SCOPED_TRACE(rows);
    const Values values = normal_values(rows, 1);
    EXPECT_EQ(coded(values).codes, naive_codes(values));
    Values ties;
    for (const double value : values) ties.push_back(std::round(2.0 * value));
    EXPECT_EQ(coded(ties).codes, naive_codes(ties));
  }
}

TEST(LevelTree, TellsValuesApartHoweverNearTheyAre) {
  const double next = std::nextafter(1.0, 2.0);
  Values values;
  for (Index i = 0; i < 3000; ++i) {
    const double steps[] = {-1e139, 1.0, next, 1.0 + 1e-12, 1.0 + 1e-6, 1.5, 1e9, 1e9 + 1.0};
    values.push_back(steps[i % 8]);
  }
  EXPECT_EQ(coded(values).codes, naive_codes(values));
  EXPECT_EQ(coded(values).counts.size(), 8U);
}

TEST(LevelTree, NeedsOnePassOnUsualColumns) {
  Values values = normal_values(20'000, 2);
  EXPECT_EQ(coded(values).passes, 1);
  for (double& value : values) value = 1e6 + std::abs(value);  // a large offset
  EXPECT_EQ(coded(values).passes, 1);
  for (double& value : values) value = std::round(value);
  EXPECT_EQ(coded(values).passes, 1);
}

TEST(LevelTree, IsNearTheRanksOnManyRows) {
  const Values values = normal_values(20'000, 3);
  Values sorted = values;
  std::ranges::sort(sorted);
  const Coded found = coded(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = std::ranges::lower_bound(sorted, values[i]) - sorted.begin();
    EXPECT_NEAR(found.codes[i], level_of(place, place + 1, 20'000), 4);
  }
}

TEST(LevelTree, GivesOneCodeToAConstantColumnAndTwoToOneOfTwoValues) {
  EXPECT_EQ(coded(Values(5000, 0.1)).codes, std::vector<int>(5000, 0));
  Values rare(5000, 0.0);
  rare[17] = 1e-30;
  const Coded found = coded(rare);
  ASSERT_EQ(found.counts.size(), 2U);
  EXPECT_EQ(found.counts[0].count, 4999U);
  EXPECT_EQ(found.codes[17], 2047);
}

TEST(CodeFacts, AreThoseOfTheColumn) {
  const Values values = normal_values(301, 4);
  const Coded found = coded(values);
  const CodeFacts facts = facts_of(found.counts, 301);
  double sum = 0.0;
  double squares = 0.0;
  for (const int code : found.codes) sum += code, squares += code * code;
  EXPECT_EQ(static_cast<double>(facts.sum), sum);
  EXPECT_EQ(static_cast<double>(facts.squares), squares);
  std::vector<int> sorted = found.codes;
  std::ranges::sort(sorted);
  double off = 0.0;
  for (const int code : sorted) off += std::abs(code - sorted[150]) / 301.0;
  const double variance = squares / 301.0 - sum * sum / 301.0 / 301.0;
  EXPECT_NEAR(facts.spread, off * off / variance, 1e-12);
  EXPECT_NEAR(facts.spread, 0.75, 1e-2);
}

}  // namespace
}  // namespace tamis
