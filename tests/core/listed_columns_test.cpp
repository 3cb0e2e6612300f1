#include "core/listed_columns.hpp"

#include "support/sample.hpp"

namespace tamis::test {
namespace {

TEST(CopyListedColumns, TakesColumnsInAnyOrderOfTheGivenRows) {
  const Dense x = sparse_table(9, 20, 3);
  const std::vector<Index> rows{7, 0, 3, 0};
  const std::vector<Index> columns{19, 0, 6, 6};
  for (const Storage storage : kStorages) {
    const StoredSample stored({.x = x}, storage);
    std::vector<double> block(16, -1.0);
    copy_listed_columns(stored.problem().matrix, rows, columns, block.data());
    for (std::size_t s = 0; s < 4; ++s)
      for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(block[s * 4 + c], x(rows[s], columns[c]));
  }
}

}  // namespace
}  // namespace tamis::test
