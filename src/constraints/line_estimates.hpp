#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// The squared distances of some rows from each other.
class RowDistances {
 public:
  /// O(rows^2 x columns), in parallel. Rows ascend.
  RowDistances(const MatrixView& x, std::vector<Index> rows);

  Index place_of(Index row) const;
  double operator()(Index place, Index other) const { return values_[place * size() + other]; }

 private:
  Index size() const { return std::ssize(rows_); }

  std::vector<Index> rows_;
  Buffer<double> values_;
};

/// Where a row falls on a line, from 0 at its first end to 1 at its second, and by how much another
/// way to compute it may differ: not at all beyond the ends.
struct LineEstimate {
  double position = 0.0;
  double error = 0.0;
};

/// From the squared distances of row and first end, of both ends, of row and second end. The error
/// is infinite if they tell nothing.
LineEstimate estimate_on_line(double from_first, double length, double from_second, Index cols);

/// Which estimates on one line leave open whether they are more than `apart` from another or from
/// an end.
std::vector<Index> doubtful_estimates(std::span<const LineEstimate> estimates, double apart);

}  // namespace tamis
