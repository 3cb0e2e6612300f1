#include "core/squared_differences.hpp"

#include <algorithm>
#include <cmath>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/table.hpp"

namespace tamis::test {
namespace {

/// Random pairs, sorted by row; the first row has many, so that long runs occur.
std::vector<RowPair> some_pairs(Index rows, Index count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<RowPair> pairs;
  for (Index j = 1; j < std::min<Index>(rows, 40); ++j) pairs.push_back({0, j, random.uniform()});
  for (Index s = 0; s < count; ++s) {
    const Index first = 1 + s * (rows - 2) / count;
    pairs.push_back({first, first + 1 + random.below(rows - first - 1), random.uniform()});
  }
  return pairs;
}

std::vector<double> naive_sums(const Dense& x, const std::vector<RowPair>& pairs) {
  std::vector<double> sums(x.cols, 0.0);
  for (const RowPair& pair : pairs)
    for (Index r = 0; r < x.cols; ++r)
      sums[r] += pair.weight * std::pow(x(pair.first, r) - x(pair.second, r), 2);
  return sums;
}

TEST(SquaredDifferenceSums, EqualPlainLoopsInEveryStorage) {
  for (const Index cols : {1, 31, 32, 33, 70, 1100}) {
    const Dense x = sparse_table(60, cols, 1);
    const std::vector<RowPair> pairs = some_pairs(60, 200, 2);
    const std::vector<double> expected = naive_sums(x, pairs);
    for (const Storage storage : kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored({.x = x}, storage);
      expect_scores_near(squared_difference_sums(stored.problem().matrix, pairs), expected,
                         storage == Storage::dense_float ? 1e-6 : 1e-13);
    }
  }
}

TEST(SquaredDifferenceSums, OfAColumnDoNotDependOnTheOthersOrTheTarget) {
  const Dense x = random_table(60, 70, 3);
  const std::vector<RowPair> pairs = some_pairs(60, 200, 4);
  for (const Storage storage : {Storage::dense_double, Storage::dense_float}) {
    const StoredSample stored({.x = x}, storage);
    const std::vector<double> all = squared_difference_sums(stored.problem().matrix, pairs);
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      for (Index cols = 1; cols <= 70; ++cols) {
        const OwnedTable first =
            gathered(stored.problem().matrix, all_indices(x.rows), all_indices(cols));
        ASSERT_EQ(squared_difference_sums(view_of(first), pairs),
                  std::vector<double>(all.begin(), all.begin() + cols))
            << cols;
      }
    }
  }
}

TEST(SquaredDifferenceSums, KeepTheirDigitsFarFromTheOrigin) {
  Dense x(3, 1);
  for (Index i = 0; i < 3; ++i) x(i, 0) = 1e9 + static_cast<double>(i);
  const StoredSample stored({.x = x});
  const std::vector<RowPair> pairs{{0, 1, 1.0}, {0, 2, 0.5}};
  EXPECT_EQ(squared_difference_sums(stored.problem().matrix, pairs), std::vector<double>{3.0});
}

TEST(SquaredDifferenceSums, NeitherOverflowNorVanishInSinglePrecision) {
  for (const double magnitude : {1e-30, 1e-25, 1e25, 1e37}) {
    Dense x = random_table(20, 3, 3);
    for (Index i = 0; i < x.rows; ++i)
      x(i, 1) = static_cast<double>(static_cast<float>(magnitude * x(i, 1)));
    const std::vector<RowPair> pairs = some_pairs(20, 30, 4);
    const StoredSample stored({.x = x}, Storage::dense_float);
    const std::vector<double> sums = squared_difference_sums(stored.problem().matrix, pairs);
    EXPECT_NEAR(sums[1] / naive_sums(x, pairs)[1], 1.0, 1e-6) << magnitude;
  }
}

TEST(SquaredDifferenceSums, OfFewRowsHaveTheBitsThatTheyHaveAmongManyPairs) {
  for (const Index cols : {1, 31, 32, 70}) {
    const Dense x = random_table(400, cols, 8);
    std::vector<RowPair> pairs{{3, 77, 1.0}, {3, 399, 0.5}, {77, 200, 2.0}, {200, 399, 0.25}};
    for (const Storage storage : {Storage::dense_double, Storage::dense_float}) {
      const StoredSample stored({.x = x}, storage);
      const std::vector<double> few = squared_difference_sums(stored.problem().matrix, pairs);
      std::vector<RowPair> many = pairs;  // so many that all rows are read, but they weigh nothing
      for (Index i = 0; i < 399; ++i) many.push_back({i, i + 1, 0.0});
      std::ranges::stable_sort(many, {}, &RowPair::first);
      expect_scores_near(few, naive_sums(x, pairs), 1e-6);
      EXPECT_EQ(few, squared_difference_sums(stored.problem().matrix, many));
    }
  }
}

TEST(SquaredDifferenceSums, OfNoPairsAreZero) {
  for (const Storage storage : kStorages) {
    const StoredSample stored({.x = random_table(5, 2, 5)}, storage);
    EXPECT_EQ(squared_difference_sums(stored.problem().matrix, {}), std::vector<double>(2, 0.0));
  }
}

TEST(GraphSums, EqualTheirPartsInEveryStorage) {
  const Dense x = sparse_table(50, 67, 6);
  const std::vector<RowPair> pairs = some_pairs(50, 100, 7);
  std::vector<double> weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = static_cast<double>(i % 4);
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    const MatrixView& matrix = stored.problem().matrix;
    const GraphSums sums = graph_sums(matrix, pairs, weights);
    const ColumnMoments rows = weighted_moments(matrix, all_indices(50), weights);
    EXPECT_EQ(sums.differences, squared_difference_sums(matrix, pairs));
    EXPECT_EQ(sums.varies, varying_columns(matrix));
    EXPECT_EQ(sums.rows.total_weight, rows.total_weight);
    expect_scores_near(sums.rows.mean, rows.mean, 1e-13);
    expect_scores_near(sums.rows.squares, rows.squares, 1e-13);
  }
}

TEST(GraphSums, DoNotDependOnTheNumberOfThreads) {
  const Sample sample{.x = sparse_table(80, 1500, 8)};
  const std::vector<RowPair> pairs = some_pairs(80, 300, 9);
  const std::vector<double> weights(80, 0.3);
  for (const Storage storage : kStorages) {
    const StoredSample stored(sample, storage);
    std::vector<GraphSums> runs;
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      runs.push_back(graph_sums(stored.problem().matrix, pairs, weights));
    }
    EXPECT_EQ(runs[0].differences, runs[1].differences);
    EXPECT_EQ(runs[0].rows.squares, runs[1].rows.squares);
  }
}

}  // namespace
}  // namespace tamis::test
