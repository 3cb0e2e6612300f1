#include "levels/decoy_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tamis {
namespace {

const std::vector<CodeCount> kCounts{{-2000, 3}, {-5, 1}, {0, 40}, {7, 2}, {2000, 5}};
constexpr Index kRows = 51;

/// Targets that are 1 in one row and 0 in all others: their products with a decoy are its codes.
std::vector<std::vector<std::int64_t>> decoys_of(const std::vector<DecoyGroup>& groups,
                                                 Index rows) {
  DecoySums sums(groups, {rows}, rows, /*seed=*/3);
  RowVectors target{rows, Buffer<double>(rows * rows, 0.0)};
  for (Index i = 0; i < rows; ++i) target.row(i)[i] = 1.0;
  sums.update({target}, rows, 0);
  std::vector<std::vector<std::int64_t>> decoys;
  for (Index k = 0; k < groups[0].decoys(); ++k) {
    decoys.emplace_back();
    for (Index i = 0; i < rows; ++i)
      decoys.back().push_back(static_cast<std::int64_t>(sums.sums[0][k * rows + i]));
  }
  return decoys;
}

TEST(DecoySums, MeetTargetsWithTheCodesOfTheirColumnInAnyOrder) {
  RandomStream random(1);
  DecoyGroup group{.permutations = 4, .first_stream = 9};
  for (Index c = 0; c < 3; ++c)
    group.columns.push_back(decoy_column(c, 0, draw_multiplier(random, kRows), kCounts));
  const auto decoys = decoys_of({group}, kRows);
  ASSERT_EQ(decoys.size(), 12U);
  std::vector<std::int64_t> expected;
  for (const CodeCount& entry : kCounts) expected.insert(expected.end(), entry.count, entry.code);
  for (std::size_t k = 0; k < decoys.size(); ++k) {
    std::vector<std::int64_t> sorted = decoys[k];
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, expected);
    for (std::size_t other = 0; other < k; ++other) EXPECT_NE(decoys[other], decoys[k]);
  }
}

TEST(DecoySums, DifferThoughColumnsAreAlike) {
  // Columns without ties, of so many rows that some share a permutation.
  constexpr Index kMany = 5000;
  std::vector<CodeCount> counts;
  for (Index code = -1250; code < 1250; ++code)
    counts.push_back({static_cast<std::int16_t>(code), 2});
  RandomStream random(2);
  std::vector<DecoyGroup> groups(1);
  groups[0] = {.permutations = 1, .first_stream = 9};
  for (Index c = 0; c < 40; ++c)
    groups[0].columns.push_back(decoy_column(c, 0, draw_multiplier(random, kMany), counts));
  DecoySums sums(groups, {1}, kMany, /*seed=*/3);
  RowVectors target{1, Buffer<double>(kMany)};
  for (Index i = 0; i < kMany; ++i) target.values[i] = i < kMany / 2 ? 1.0 : -1.0;
  sums.update({target}, kMany, 0);
  const double variance = kMany * 2500.0 * 2500.0 / 12.0;  // of sums of so many codes with signs
  double squares = 0.0;
  for (const Int128 sum : sums.sums[0])
    squares += static_cast<double>(sum) * static_cast<double>(sum) / variance / 40.0;
  EXPECT_NEAR(squares, 1.0, 0.8);
  EXPECT_EQ(std::set(sums.sums[0].begin(), sums.sums[0].end()).size(), 40U);
}

TEST(DecoySums, MultiplyByNumbersThatLeaveNoPlaceOut) {
  RandomStream random(3);
  for (const Index rows : {2, 3, 12, 1000, 30030}) {
    const Index multiplier = draw_multiplier(random, rows);
    EXPECT_EQ(std::gcd(multiplier, rows), 1);
    EXPECT_LE(multiplier, rows);
  }
}

}  // namespace
}  // namespace tamis
