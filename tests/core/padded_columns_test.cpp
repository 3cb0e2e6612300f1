#include "core/padded_columns.hpp"

#include <gtest/gtest.h>

#include "support/sample.hpp"

namespace tamis {
namespace {

TEST(PaddedColumns, FillRowsUpWithZeros) {
  const test::Dense x = test::sparse_table(7, 9, /*seed=*/1);
  const std::vector<Index> rows{1, 2, 5};
  for (const test::Storage storage : test::kStorages)
    for (const Index width : {0, 1, 3, 4}) {
      const test::StoredSample stored({x}, storage);
      std::vector<double> values(12, -1.0);
      copy_padded_columns(stored.problem().matrix, rows, 5, width, 4, values.data());
      for (Index s = 0; s < 3; ++s)
        for (Index c = 0; c < 4; ++c)
          EXPECT_EQ(values[s * 4 + c], c < width ? x(rows[s], 5 + c) : 0.0);
    }
}

}  // namespace
}  // namespace tamis
