#pragma once

#include <span>
#include <vector>

#include "levels/level_tree.hpp"

namespace tamis {

/// Counts what is in the new slots of some columns of a table. Blocks of rows may come in any
/// order, and several counts be merged in any.
class LevelCounts {
 public:
  /// @param trees of these columns; must outlive it
  /// @param first_column of them in the table
  explicit LevelCounts(std::span<const LevelTree> trees, Index first_column = 0);

  void update(const MatrixView& block);
  void merge(const LevelCounts& other);

  Index cols() const { return std::ssize(columns_); }
  Index first_column() const { return first_column_; }
  /// Of the new slots of a column, counted from the first.
  std::vector<SlotCount>& column(Index r) { return columns_[r]; }
  const std::vector<SlotCount>& column(Index r) const { return columns_[r]; }

 private:
  std::span<const LevelTree> trees_;
  Index first_column_;
  std::vector<std::vector<SlotCount>> columns_;
};

}  // namespace tamis
