#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Columns of some rows, standardised on them, of which each may count with a weight.
class WeightedColumns {
 public:
  WeightedColumns(const MatrixView& x, std::span<const Index> rows, std::span<const Index> columns);

  Index rows() const { return rows_; }
  /// sum_r (weight_r x_ir)(weight_r x_jr) for every two rows, row-major.
  Buffer<double> kernel(std::span<const double> weights) const;
  /// sum_i coefficients_i x_ir for each column, without weights.
  std::vector<double> combined(std::span<const double> coefficients) const;

 private:
  Index rows_;
  Index cols_;
  Buffer<double> values_;  // column after column
};

}  // namespace tamis
