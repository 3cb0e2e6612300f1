#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// sum_r weights[r] (point[r] - center[r])^2, column r in lane r mod 32.
double weighted_distance(const double* point, const double* center, const double* weights,
                         Index cols);

/// sum_r weights[r] values[r], likewise.
double weighted_sum(const double* values, const double* weights, Index cols);

/// Rows of the table as doubles, a block at a time.
class RowBlock {
 public:
  static constexpr Index kRows = 256;

  explicit RowBlock(Index cols) : cols_(cols), values_(kRows * cols) {}
  void load(const MatrixView& x, std::span<const Index> rows) {
    copy_columns(x, rows, 0, cols_, values_.data());
  }
  const double* row(Index place) const { return values_.data() + place * cols_; }

 private:
  Index cols_;
  Buffer<double> values_;
};

/// The greatest minus the least value of each column.
std::vector<double> column_ranges(const MatrixView& x);

}  // namespace tamis
