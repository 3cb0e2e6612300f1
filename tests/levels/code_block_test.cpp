#include "levels/code_block.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "levels/column_chunks.hpp"
#include "levels/level_counts.hpp"

namespace tamis {
namespace {

std::vector<LevelTree> levels_of(const MatrixView& table) {
  ColumnScan scan(table.cols());
  scan.update(table);
  std::vector<LevelTree> trees;
  for (Index r = 0; r < table.cols(); ++r) trees.emplace_back(scan.column(r), table.rows());
  while (trees[0].new_slots() > 0 || trees[1].new_slots() > 0) {
    LevelCounts counts(trees);
    counts.update(table);
    for (Index r = 0; r < table.cols(); ++r) trees[r].accept(counts.column(r), table.rows());
  }
  for (LevelTree& tree : trees) tree.assign_codes(table.rows());
  return trees;
}

TEST(CodeBlocks, HoldTheCodesOfEveryRowAndZerosBeyond) {
  constexpr Index kRows = kChunkRows + kCodeRows + 77;
  constexpr Index kCols = 2;
  std::vector<double> values(kRows * kCols);
  RandomStream random(5);
  for (double& value : values) value = random.normal();
  const DenseView<double> table(values.data(), kRows, kCols);
  const std::vector<LevelTree> levels = levels_of(table);
  SlotFinder finder;
  Index next = 0;
  for_each_code_block(levels, table, [&](const CodeBlock& block, Index first_row) {
    EXPECT_EQ(first_row, next);
    next += block.rows;
    for (Index r = 0; r < kCols; ++r) {
      finder.open(levels[r]);
      for (Index i = 0; i < kCodeRows; ++i)
        ASSERT_EQ(block.column(r)[i],
                  i < block.rows ? finder.code_of(value_key(table(first_row + i, r))) : 0)
            << first_row + i;
    }
  });
  EXPECT_EQ(next, kRows);
}

}  // namespace
}  // namespace tamis
