#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Matrices are row-major; a matrix is given by its first element and the distance of its rows.
struct Factor {
  const double* first;
  Index apart;
};

/// Products have multiples of so many columns.
inline constexpr Index kOrderedColumns = 8;

/// out = a b: a is rows x depth, b is depth x cols, and rows of out lie `apart`. One term is added
/// after the other, in double and not fused: the bits are the same on every machine, which those of
/// a BLAS are not. For small matrices, of which nothing is copied first.
void multiply_in_order(const Factor& a, const Factor& b, Index rows, Index depth, Index cols,
                       double* out, Index apart);

}  // namespace tamis
