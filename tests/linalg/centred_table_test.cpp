#include "linalg/centred_table.hpp"

#include <gtest/gtest.h>

#include "support/sample.hpp"

namespace tamis {
namespace {

using Values = std::vector<double>;

Values centred(const test::Dense& x, const std::vector<double>& mean) {
  Values values = x.values;
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) values[i * x.cols + r] -= mean[r];
  return values;
}

/// Element (i, r) of a row-major matrix or of its transpose.
double at(const Values& x, Index cols, bool transposed, Index i, Index r) {
  return transposed ? x[r * cols + i] : x[i * cols + r];
}

Values lower_of(const Buffer<double>& all, Index side) {
  Values lower;
  for (Index s = 0; s < side; ++s)
    lower.insert(lower.end(), &all[s * side], &all[s * side] + s + 1);
  return lower;
}

TEST(CentredTable, MultipliesLikeACentredCopy) {
  // Larger than a block and a tile both ways; more than half of the entries are 0.
  const test::Dense x = test::sparse_table(600, 530, /*seed=*/1);
  RowVectors b{2, Buffer<double>(530 * 2)};
  RowVectors v{2, Buffer<double>(600 * 2)};
  for (Index r = 0; r < 1060; ++r) b.values[r] = static_cast<double>(r % 7);
  for (Index i = 0; i < 1200; ++i) v.values[i] = static_cast<double>(i % 5);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(test::name_of(storage));
    const test::StoredSample stored({x}, storage);
    const CentredTable table(stored.problem().matrix);
    const Values all = centred(x, table.mean());
    Values times(1200, 0.0);
    Values transposed(1060, 0.0);
    for (Index i = 0; i < 600; ++i)
      for (Index r = 0; r < 530; ++r)
        for (Index c = 0; c < 2; ++c) {
          times[i * 2 + c] += all[i * 530 + r] * b.row(r)[c];
          transposed[r * 2 + c] += all[i * 530 + r] * v.row(i)[c];
        }
    const RowVectors found = table.times(b);
    test::expect_scores_near({found.values.begin(), found.values.end()}, times, 1e-12);
    const RowVectors back = table.transposed_times(v);
    test::expect_scores_near({back.values.begin(), back.values.end()}, transposed, 1e-12);
  }
}

TEST(CentredTable, HasTheProductsOfACentredCopy) {
  for (const Index per_row : {1, 3})  // few entries, so that they are multiplied one by one, or not
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << per_row << ", " << test::name_of(storage));
      test::Dense x = test::sparse_table(140, 90, /*seed=*/2);
      if (per_row == 1)
        for (Index i = 0; i < x.rows; ++i)
          for (Index r = 0; r < x.cols; ++r)
            if (r % 30 != i % 30) x(i, r) = 0.0;
      const test::StoredSample stored({x}, storage);
      const CentredTable table(stored.problem().matrix);
      const Values all = centred(x, table.mean());
      for (const Side side : {Side::rows, Side::columns}) {
        const bool by_columns = side == Side::columns;
        Values expected;
        for (Index s = 0; s < table.size(side); ++s)
          for (Index t = 0; t <= s; ++t) {
            expected.push_back(0.0);
            for (Index o = 0; o < (by_columns ? 140 : 90); ++o)
              expected.back() += at(all, 90, by_columns, s, o) * at(all, 90, by_columns, t, o);
          }
        test::expect_scores_near(lower_of(table.products(side, {}), table.size(side)), expected,
                                 1e-12);
      }
    }
}

}  // namespace
}  // namespace tamis
