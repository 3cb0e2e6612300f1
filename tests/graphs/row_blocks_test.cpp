#include "graphs/row_blocks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/sample.hpp"

namespace tamis {
namespace {

/// Every panel of every block, value by value.
void expect_blocks_of(const test::Dense& x, const RowBlocks& blocks) {
  constexpr Index kRows = RowBlocks::kRows;
  constexpr Index kMultiple = RowBlocks::kColumnMultiple;
  std::vector<double> scratch(RowBlocks::kPanelSize);
  for (Index block = 0; block < blocks.count(); ++block)
    for (Index first = 0; first < x.cols; first += RowBlocks::kWidth) {
      const std::span<const Index> rows = blocks.rows(block);
      const double* const panel = blocks.panel(block, first, scratch.data());
      const Index width = std::min(RowBlocks::kWidth, x.cols - first);
      for (Index c = 0; c < (width + kMultiple - 1) / kMultiple * kMultiple; ++c)
        for (Index a = 0; a < kRows; ++a) {
          const bool is_there = c < width && a < std::ssize(rows);
          ASSERT_EQ(panel[c * kRows + a], is_there ? x(rows[a], first + c) : 0.0)
              << "block " << block << " column " << first + c << " row " << a;
        }
    }
}

TEST(RowBlocks, HoldTheRowsOfGroupsInPanelsOfColumns) {
  const RowGroups groups{{3, 5, 8}, {}, {4}, all_indices(70)};
  for (const Index cols : {1, 6, 7, 36, 37, 80})
    for (const test::Storage storage : {test::Storage::dense_double, test::Storage::csr_double}) {
      SCOPED_TRACE(testing::Message() << cols << " " << name_of(storage));
      const test::Dense x = test::sparse_table(70, cols, /*seed=*/1);
      const test::StoredSample stored({x}, storage);
      const RowBlocks blocks(stored.problem().matrix, groups);
      ASSERT_EQ(blocks.count(), 4);  // none of a row that is alone
      EXPECT_EQ(blocks.end_of_group(0), 1);
      for (const Index block : {1, 2, 3}) EXPECT_EQ(blocks.end_of_group(block), 4);
      expect_blocks_of(x, blocks);
    }
}

TEST(RowBlocks, MakePanelsOfALargeTableWhenTheyAreAskedFor) {
  const test::Dense x = test::random_table(140, 35000, /*seed=*/2);  // 39 MB
  const test::StoredSample stored({x});
  const RowGroups groups(1, all_indices(140));
  const RowBlocks blocks(stored.problem().matrix, groups);
  std::vector<double> scratch(RowBlocks::kPanelSize);
  EXPECT_EQ(blocks.panel(0, 36, scratch.data()), scratch.data());
  expect_blocks_of(x, blocks);
}

}  // namespace
}  // namespace tamis
