#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// The columns of a table on some of its rows, in three states each (Ding, Peng 2003): above
/// mean + w sd, below mean - w sd, and between; mean and population sd of these rows. A value on a
/// border is between: borders lie a factor of 1 + 1e-9 farther out, so that rounding moves nobody.
///
/// States are sets of rows, one bit for each: what two columns share is counted 64 rows at a time.
/// O(lm) time for l rows and m columns, 2lm bits. Equal for dense and sparse tables and for any
/// number of threads; an offset of a column costs no digits.
class ColumnStates {
 public:
  using Word = std::uint64_t;

  ColumnStates(const MatrixView& x, std::span<const Index> rows, double width);

  Index cols() const { return std::ssize(varies_); }
  Index words() const { return words_; }  ///< of a set of rows
  /// Rows above the middle state, then rows below it: 2 x words().
  const Word* sets(Index column) const { return sets_.data() + column * 2 * words_; }
  /// Whether the rows have different values, be they of one state.
  bool varies(Index column) const { return varies_[column] != 0; }

 private:
  Index words_;
  std::vector<Word> sets_;
  std::vector<char> varies_;  // bits of a vector<bool> cannot be written side by side
};

}  // namespace tamis
