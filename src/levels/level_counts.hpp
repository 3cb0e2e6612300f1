#pragma once

#include <span>
#include <vector>

#include "levels/level_tree.hpp"

namespace tamis {

/// Counts what is in the new slots of the columns of a table. Blocks of rows may come in any order,
/// and several counts be merged in any.
class LevelCounts {
 public:
  /// @param trees must outlive it
  explicit LevelCounts(std::span<const LevelTree> trees);

  void update(const MatrixView& block);
  void merge(const LevelCounts& other);

  Index cols() const { return std::ssize(columns_); }
  /// Of the new slots of a column.
  std::vector<SlotCount>& column(Index r) { return columns_[r]; }
  const std::vector<SlotCount>& column(Index r) const { return columns_[r]; }

 private:
  std::span<const LevelTree> trees_;
  std::vector<std::vector<SlotCount>> columns_;
};

}  // namespace tamis
