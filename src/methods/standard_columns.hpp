#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Columns of some rows of a table with mean 0 and one size on them, one after the other.
class StandardColumns {
 public:
  enum class Size { unit_deviation, unit_length };

  StandardColumns(const MatrixView& x, std::span<const Index> rows, std::span<const Index> columns,
                  Size size = Size::unit_deviation);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  std::span<const double> column(Index r) const {
    return std::span(values_).subspan(r * rows_, rows_);
  }
  /// Some of the columns, as they are.
  StandardColumns only(std::span<const Index> columns) const;
  /// sum_r (weight_r x_ir)(weight_r x_jr) for every two rows i, j, row-major.
  Buffer<double> kernel(std::span<const double> weights) const;
  /// sum_i coefficients_i x_ir for each column.
  std::vector<double> combined(std::span<const double> coefficients) const;

 private:
  StandardColumns(Index rows, Index cols) : rows_(rows), cols_(cols), values_(rows * cols) {}

  Index rows_;
  Index cols_;
  Buffer<double> values_;
};

}  // namespace tamis
