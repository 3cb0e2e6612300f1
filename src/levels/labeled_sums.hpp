#pragma once

#include <vector>

#include "levels/code_gram.hpp"
#include "levels/column_part.hpp"

namespace tamis {

/// The class of every row of a table, for sums over rows that have one.
struct LabeledRows {
  std::vector<std::int32_t> class_of = {};  ///< -1: none; empty: nothing is asked
  std::vector<Index> sizes = {};            ///< of the classes

  bool are_asked() const { return !class_of.empty(); }
  Index count() const;
  bool are_all() const { return count() == std::ssize(class_of); }
};

/// Sums over the labeled rows, of some columns. Blocks of rows may come in any order, and several
/// sums be merged in any.
class LabeledSums {
 public:
  /// @param columns the first of them is where a tile begins
  /// @param rows must outlive it
  LabeledSums(const ColumnPart& columns, const LabeledRows& rows);

  /// @param block of all columns up to the last of these
  void update(const CodeBlock& block, Index first_row, CodeKernel kernel);
  void merge(const LabeledSums& other);

  std::vector<std::int64_t> class_sums = {};  ///< of codes: columns x classes
  /// Their products with all columns up to the last, and how many rows have each code (columns x
  /// 4095): unless all rows are labeled, for then that is known.
  SymmetricTiles<std::int64_t> gram = {};
  std::vector<std::int64_t> counts = {};

  /// @param column counted from the first of these
  std::vector<CodeCount> counts_of(Index column) const;

 private:
  ColumnPart columns_;
  const LabeledRows& rows_;
};

}  // namespace tamis
