#pragma once

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// `width` numbers for each of some rows, row by row.
struct RowVectors {
  Index width = 0;
  Buffer<double> values = {};

  Index rows() const { return width == 0 ? 0 : static_cast<Index>(values.size()) / width; }
  double* row(Index i) { return values.data() + i * width; }
  const double* row(Index i) const { return values.data() + i * width; }
};

/// Shifts each of the `width` columns to mean 0.
void center(RowVectors& vectors);

/// Mean over the rows of their squared lengths; 0 if there are none.
double mean_squared_length(const RowVectors& vectors);

void multiply_all(RowVectors& vectors, double factor);

}  // namespace tamis
