#pragma once

#include <span>
#include <vector>

#include "graphs/coinciding_rows.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// The rows of groups in blocks, in the form in which kernels for pairs of rows read them: double,
/// column after column, a panel of columns at a time. A table of up to 32 MB is kept in this form,
/// as every block meets all others; panels of a larger one are made when they are asked for.
class RowBlocks {
 public:
  /// Few enough that all pairs of two blocks stay in the first cache while they are worked on.
  static constexpr Index kRows = 32;
  static constexpr Index kWidth = 36;  ///< columns of a panel
  /// Panels have 0 in columns beyond the table, up to a multiple of this many.
  static constexpr Index kColumnMultiple = 6;
  static_assert(kWidth % kColumnMultiple == 0);
  static constexpr Index kPanelSize = kRows * kWidth;
  /// So many columns as a multiple of that.
  static constexpr Index padded(Index cols) {
    return (cols + kColumnMultiple - 1) / kColumnMultiple * kColumnMultiple;
  }

  /// From where values count: from 0, or from the mean of the first rows of each group.
  enum class Origin { zero, amid_group };

  /// Both are looked at later, too. A group of one row, which has no pair, has no block.
  RowBlocks(const MatrixView& x, const RowGroups& groups, Origin origin = Origin::zero);

  Index count() const { return std::ssize(blocks_); }
  Index cols() const { return cols_; }
  std::span<const Index> rows(Index block) const { return blocks_[block].rows; }
  /// The number after that of the last block of the same group.
  Index end_of_group(Index block) const { return blocks_[block].end_of_group; }

  /// Column first + c of row a of the block at c * kRows + a; 0 beyond its rows. It may be in
  /// `scratch`, which has room for a panel.
  const double* panel(Index block, Index first, double* scratch) const;

  /// The size of all panels of a block, if it is worth keeping them while the block meets others: 0
  /// if all are kept anyway, or if one block is large.
  Index size_worth_keeping() const;

 private:
  struct Block {
    std::span<const Index> rows;
    Index end_of_group;
    const double* origin;  ///< null: zero
  };
  void turn(Index block, Index first, Index width, double* panel) const;

  const MatrixView& x_;
  Index cols_;
  std::vector<Block> blocks_;
  std::vector<Buffer<double>> origins_;
  Buffer<double> kept_;  // panels of all blocks; empty if the table is large
};

}  // namespace tamis
