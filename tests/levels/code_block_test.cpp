#include "levels/code_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

/// A table of which most values are 0, with the same in every row for a while: so full there that
/// chunks hold fewer rows.
struct MostlyZeros {
  static constexpr Index kRows = 2 * kChunkRows + 77;
  static constexpr Index kCols = 2;

  MostlyZeros() {
    RandomStream random(6);
    for (Index i = 0; i < kRows; ++i)
      for (Index r = 0; r < kCols; ++r)
        if (i < kChunkRows || random.below(20) == 0) values[i * kCols + r] = random.normal();
    for (Index i = 0; i < kRows; ++i) {
      for (Index r = 0; r < kCols; ++r) {
        const double value = values[i * kCols + r];
        if (value == 0.0 && i % 7 != 0) continue;  // some zeros are written down
        columns.push_back(static_cast<ColumnIndex>(r));
        entries.push_back(value);
      }
      offsets.push_back(std::ssize(columns));
    }
  }

  DenseView<double> dense() const { return {values.data(), kRows, kCols}; }
  CsrView<double> sparse() const { return {offsets, columns, entries, kCols}; }

  std::vector<double> values = std::vector(kRows * kCols, 0.0);
  std::vector<Index> offsets{0};
  std::vector<ColumnIndex> columns;
  std::vector<double> entries;
};

TEST(CodeBlocks, OfASparseTableAreThoseOfADenseOne) {
  const MostlyZeros table;
  const std::vector<LevelTree> levels = levels_of(table.dense());
  const std::vector<LevelTree> same = levels_of(table.sparse());
  for (Index r = 0; r < MostlyZeros::kCols; ++r)
    EXPECT_TRUE(std::ranges::equal(levels[r].slots(), same[r].slots()));
  const auto codes_of = [&](const MatrixView& view) {
    std::vector<std::int16_t> codes(MostlyZeros::kRows * MostlyZeros::kCols);
    for_each_code_block(levels, view, [&](const CodeBlock& block, Index first_row) {
      for (Index r = 0; r < block.cols; ++r)
        for (Index i = 0; i < kCodeRows; ++i)
          if (i < block.rows)
            codes[r * MostlyZeros::kRows + first_row + i] = block.column(r)[i];
          else
            EXPECT_EQ(block.column(r)[i], 0);
    });
    return codes;
  };
  EXPECT_EQ(codes_of(table.sparse()), codes_of(table.dense()));
}

}  // namespace
}  // namespace tamis
