#include "constraints/pair_positions.hpp"

#include <algorithm>
#include <cmath>

#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

/// Where a row falls on the line through a pair, by its definition.
double position(const Dense& x, Index row, const RowPair& pair) {
  long double along = 0.0L;
  long double length = 0.0L;
  for (Index c = 0; c < x.cols; ++c) {
    const long double direction = x(pair.second, c) - x(pair.first, c);
    along += (x(row, c) - x(pair.first, c)) * direction;
    length += direction * direction;
  }
  return static_cast<double>(std::clamp(along / length, 0.0L, 1.0L));
}

TEST(PairPositions, CountPairsThatTwoRowsDoNotOverlap) {
  // Neither rows nor pairs nor columns fill whole tiles.
  const Dense x = random_table(41, 301, 7);
  const StoredSample stored({x});
  const std::vector<Index> rows{3, 40, 0, 17, 8, 11, 29};
  for (const Index n_pairs : {1, 6, 37}) {
    std::vector<RowPair> pairs;
    for (Index q = 0; q < n_pairs; ++q) pairs.push_back({q, q + 1 + q % 3});
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const PairPositions positions(stored.problem().matrix, rows, pairs);
      for (Index a = 0; a < std::ssize(rows); ++a)
        for (Index b = 0; b < std::ssize(rows); ++b)
          EXPECT_EQ(positions.count_misses(a, b), std::ranges::count_if(pairs, [&](RowPair pair) {
                      return std::abs(position(x, rows[a], pair) - position(x, rows[b], pair)) <
                             1e-12;
                    }));
    }
  }
}

/// Few rows of many columns, whose positions follow from distances. Copies of rows, rows that are
/// corners of squares and rows in the middle of others leave doubts.
TEST(PairPositions, AreTheSameWhereDistancesTellThem) {
  constexpr Index kRows = 12;
  Dense x = random_table(kRows, 600, /*seed=*/3);
  for (Index c = 0; c < x.cols; ++c) {
    x(1, c) = x(0, c);
    x(2, c) = c < 300 ? 1.0 : 0.0;
    x(3, c) = c < 300 ? 0.0 : 1.0;
    x(4, c) = 1.0;
    x(5, c) = 0.5;
    x(6, c) = 0.0;
  }
  const StoredSample stored({x});
  const std::vector<Index> rows = all_indices(kRows);
  std::vector<RowPair> pairs;
  for (Index a = 0; a < kRows; ++a)
    for (Index b = 0; b < kRows; ++b) pairs.push_back({a, b});
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    const PairPositions positions(stored.problem().matrix, rows, pairs);
    for (Index q = 0; q < std::ssize(pairs); ++q) {
      // A pair alone is not worth the distances.
      const PairPositions alone(stored.problem().matrix, rows, std::span(pairs).subspan(q, 1));
      for (const Index a : rows)
        for (const Index b : rows)
          EXPECT_EQ(positions.misses(a, b, q) & 1, alone.misses(a, b, 0) & 1)
              << a << ", " << b << " on " << pairs[q].first << ", " << pairs[q].second;
    }
  }
}

}  // namespace
}  // namespace tamis::test
