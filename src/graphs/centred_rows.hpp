#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Some rows of a dense table, each value less the mean of its column: on badly centred data
/// products lose the digits that tell neighbours apart. Rows are centred as they are copied: no
/// second table.
template <class T>
class CentredRows {
 public:
  CentredRows(const DenseView<T>& x, std::span<const Index> among);

  Index size() const { return std::ssize(among_); }
  Index cols() const { return x_.cols(); }
  /// Values are small integers, and so are the means that they are counted from: their distances
  /// are exact.
  bool holds_integers() const { return integers_; }
  /// The sum of all squares about the means, and by how much that about zero is larger.
  double spread() const { return spread_; }
  double offset() const { return offset_; }
  /// Whether the rows follow each other in the table.
  bool are_consecutive() const { return among_.back() - among_.front() == size() - 1; }

  /// The row as the table has it, and what each of its values is counted from.
  const T* row(Index position) const { return x_.row(among_[position]); }
  const T* centres() const { return centres_.data(); }
  Index stride() const { return x_.row(1) - x_.row(0); }
  /// Writes a row, centred and times the scale.
  void copy_row(Index position, T scale, float* out) const;
  /// From now on values count from zero.
  void count_from_zero();

 private:
  DenseView<T> x_;
  std::span<const Index> among_;
  std::vector<T> centres_;
  bool integers_;
  double spread_ = 0.0;
  double offset_ = 0.0;
};

}  // namespace tamis
