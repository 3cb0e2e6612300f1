#include "linalg/row_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/sample.hpp"

namespace tamis {
namespace {

test::Dense centred(const test::Dense& x) {
  test::Dense result = x;
  for (Index r = 0; r < x.cols; ++r) {
    double mean = 0.0;
    for (Index i = 0; i < x.rows; ++i) mean += x(i, r) / static_cast<double>(x.rows);
    for (Index i = 0; i < x.rows; ++i) result(i, r) -= mean;
  }
  return result;
}

RowVectors unit(Index side) {
  RowVectors result{side, Buffer<double>(side * side, 0.0)};
  for (Index a = 0; a < side; ++a) result.row(a)[a] = 1.0;
  return result;
}

/// Coordinates times directions give the rows back.
void expect_spans(const RowSpace& space, const test::Dense& x) {
  const RowVectors coordinates = space.coordinates(all_indices(x.rows));
  const RowVectors axes = space.directions(unit(space.rank()));
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) {
      double sum = 0.0;
      for (Index a = 0; a < space.rank(); ++a) sum += coordinates.row(i)[a] * axes.row(a)[r];
      EXPECT_NEAR(sum, x(i, r), 1e-10);
    }
}

TEST(RowSpace, GivesTheRowsBack) {
  for (const auto& [rows, cols] : {std::pair{40, 13}, std::pair{13, 40}})
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << test::name_of(storage));
      const test::Dense x = test::sparse_table(rows, cols, /*seed=*/1);
      const test::StoredSample stored({x}, storage);
      const CentredTable table(stored.problem().matrix);
      const RowSpace space(table);
      EXPECT_EQ(space.rank(), rows < cols ? rows - 1 : cols);
      expect_spans(space, centred(x));
    }
}

TEST(RowSpace, CountsSingularValuesDownToATenBillionth) {
  // Columns of lengths 1, 1e-3, ..., 1e-9 count; one of 1e-12 does not, nor copies of the others.
  for (const bool is_wide : {false, true}) {
    test::Dense x(is_wide ? 9 : 30, 10);
    const test::Dense random = test::random_table(x.rows, 5, /*seed=*/2);
    for (Index i = 0; i < x.rows; ++i)
      for (Index r = 0; r < 10; ++r)
        x(i, r) = random(i, r % 5) * std::pow(10.0, -3.0 * static_cast<double>(r % 5));
    const test::StoredSample stored({x});
    const CentredTable table(stored.problem().matrix);
    EXPECT_EQ(RowSpace(table).rank(), 4) << x.rows;
  }
}

TEST(RowSpace, DoesNotCountTheRoundingOfAMean) {
  // Two columns of whole numbers far from 0, one twice the other.
  std::vector<double> values;
  for (const double k : {0.0, 1.0, 5.0, 3.0, 4.0, 7.0, 11.0})
    values.insert(values.end(), {1e9 + k, 2e9 + 2.0 * k});
  const CentredTable table(DenseView(values.data(), 7, 2));
  EXPECT_EQ(RowSpace(table).rank(), 1);
}

TEST(RowSpace, OfASparseTableNeedsStoredEntriesAlone) {
  // As a dense table this one would take half a gigabyte.
  constexpr ColumnIndex kRows = 30;
  constexpr ColumnIndex kCols = 2'000'000;
  std::vector<Index> offsets{0};
  std::vector<ColumnIndex> columns;
  std::vector<double> values;
  for (ColumnIndex i = 0; i < kRows; ++i) {
    columns.insert(columns.end(), {i * 100, i * 100 + kCols / 2});
    values.insert(values.end(), {1.0 + static_cast<double>(i), 2.0});
    offsets.push_back(std::ssize(columns));
  }
  const CentredTable table(CsrView<double>(offsets, columns, values, kCols));
  EXPECT_EQ(table.products(Side::rows, {}).size(), kRows * kRows);
}

}  // namespace
}  // namespace tamis
