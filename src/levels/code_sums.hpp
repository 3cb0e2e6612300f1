#pragma once

#include <span>
#include <vector>

#include "levels/code_gram.hpp"
#include "levels/labeled_sums.hpp"

namespace tamis {

/// Of which rows more is asked than their part in sums.
struct CodeRows {
  std::vector<Index> kept = {};  ///< whose codes are wanted, ascending
  LabeledRows labeled = {};      ///< over which further sums are taken
};

/// The products of columns of codes, and the codes of some rows. Blocks of rows may come in any
/// order, each once, and several sums be merged in any.
class CodeSums {
 public:
  /// @param levels of all columns up to the last of which something is asked; must outlive it
  /// @param rows must outlive it
  /// @param first_column of which something is asked, where a tile begins: its products and those
  /// of the columns behind it, with all columns of levels; and their codes
  CodeSums(std::span<const LevelTree> levels, const CodeRows& rows, Index first_column = 0,
           CodeKernel kernel = best_code_kernel());

  /// @param first_row which row of the table the first of the block is
  void update(const MatrixView& block, Index first_row);
  void merge(const CodeSums& other);

  ColumnPart columns() const { return columns_; }
  const SymmetricTiles<std::int64_t>& gram() const { return gram_; }
  SymmetricTiles<std::int64_t>& gram() { return gram_; }
  const std::vector<Index>& kept() const { return rows_.kept; }
  /// Of the kept rows in these columns, row-major.
  const Buffer<std::int16_t>& codes() const { return codes_; }
  Buffer<std::int16_t>& codes() { return codes_; }
  const LabeledSums& labeled() const { return labeled_; }
  LabeledSums& labeled() { return labeled_; }

 private:
  void keep_rows(const CodeBlock& codes, Index begin);

  std::span<const LevelTree> levels_;
  const CodeRows& rows_;
  ColumnPart columns_;
  CodeKernel kernel_;
  SymmetricTiles<std::int64_t> gram_;
  Buffer<std::int16_t> codes_;  ///< 0 for rows not yet seen
  LabeledSums labeled_;
};

}  // namespace tamis
