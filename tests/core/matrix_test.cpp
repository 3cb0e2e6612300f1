#include "tamis/core/matrix.hpp"

#include <cmath>

#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

/// Rows 0, 2, 4, ... with weights that are not all equal.
std::vector<Index> even_rows(Index n) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; i += 2) rows.push_back(i);
  return rows;
}
std::vector<double> uneven_weights(std::size_t n) {
  std::vector<double> weights(n);
  for (std::size_t s = 0; s < n; ++s) weights[s] = 0.5 + static_cast<double>(s % 3);
  return weights;
}

TEST(WeightedMoments, EqualPlainLoopsInEveryStorage) {
  const Dense x = sparse_table(41, 300, 1);
  const std::vector<Index> rows = even_rows(x.rows);
  const std::vector<double> weights = uneven_weights(rows.size());
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    const ColumnMoments moments = weighted_moments(stored.problem().matrix, rows, weights);
    for (Index r = 0; r < x.cols; ++r) {
      double total = 0.0;
      double mean = 0.0;
      double squares = 0.0;
      for (std::size_t s = 0; s < rows.size(); ++s) total += weights[s];
      for (std::size_t s = 0; s < rows.size(); ++s) mean += weights[s] * x(rows[s], r) / total;
      for (std::size_t s = 0; s < rows.size(); ++s)
        squares += weights[s] * std::pow(x(rows[s], r) - mean, 2);
      EXPECT_NEAR(moments.mean[r], mean, 1e-12);
      EXPECT_NEAR(moments.squares[r], squares, 1e-11);
      EXPECT_DOUBLE_EQ(moments.total_weight, total);
    }
  }
}

TEST(WeightedMoments, KeepTheirDigitsFarFromTheOrigin) {
  Dense x(1000, 1);
  for (Index i = 0; i < x.rows; ++i) x(i, 0) = 1e8 + static_cast<double>(i % 2);
  const StoredSample stored({.x = x});
  EXPECT_DOUBLE_EQ(moments(stored.problem().matrix).squares[0], 250.0);
}

TEST(WeightedMoments, OfNoWeightAreZero) {
  const StoredSample stored({.x = random_table(4, 2, 2)});
  const ColumnMoments none =
      weighted_moments(stored.problem().matrix, std::vector<Index>{1}, std::vector<double>{0.0});
  EXPECT_EQ(none.squares, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(none.total_weight, 0.0);
}

TEST(ColumnMeans, AreThoseOfTheMomentsToTheLastBit) {
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = sparse_table(41, 300, 3)}, storage);
    EXPECT_EQ(column_means(stored.problem().matrix), moments(stored.problem().matrix).mean);
  }
}

TEST(VaryingColumns, AreFoundExactly) {
  Dense x(5, 4);
  for (Index i = 0; i < 5; ++i) {
    x(i, 0) = 0.1F;                // constant, and not 0
    x(i, 2) = i == 4 ? 1.0 : 0.0;  // varies in the last row only
    x(i, 3) = 3.0 + static_cast<double>(i);
  }
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    EXPECT_EQ(varying_columns(stored.problem().matrix),
              (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(varying_columns(stored.problem().matrix, std::vector<Index>{0, 1}),
              (std::vector<bool>{false, false, false, true}));
    EXPECT_EQ(varying_columns(stored.problem().matrix, std::vector<Index>{}),
              std::vector<bool>(4, false));
  }
}

TEST(CopyColumns, TakesABlockOfTheGivenRows) {
  const Dense x = sparse_table(9, 20, 3);
  for (const Storage storage : kStorages) {
    const StoredSample stored({.x = x}, storage);
    const std::vector<Index> rows{7, 0, 3};
    std::vector<double> block(rows.size() * 5, -1.0);
    copy_columns(stored.problem().matrix, rows, 6, 5, block.data());
    for (std::size_t s = 0; s < rows.size(); ++s)
      for (Index r = 0; r < 5; ++r) EXPECT_EQ(block[s * 5 + r], x(rows[s], 6 + r));
  }
}

TEST(SquaredDistance, IsTheSameToTheLastBitInEveryStorageAndDirection) {
  for (const Index cols : {1, 31, 32, 33, 100}) {
    const Sample sample{.x = sparse_table(12, cols, 4)};
    const StoredSample reference(sample, Storage::dense_double);
    for (const Storage storage : kStorages) {
      const StoredSample stored(sample, storage);
      for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < 12; ++j) {
          double naive = 0.0;
          for (Index r = 0; r < cols; ++r) naive += std::pow(sample.x(i, r) - sample.x(j, r), 2);
          const double distance = squared_distance(stored.problem().matrix, i, j);
          EXPECT_NEAR(distance, naive, 1e-12 * (1.0 + naive));
          EXPECT_EQ(distance, squared_distance(reference.problem().matrix, j, i));
        }
    }
  }
}

}  // namespace
}  // namespace tamis::test
