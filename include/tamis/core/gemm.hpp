#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Matrices are row-major; a matrix is given by its first element and the distance of its rows.

/// out = a b' (or out += a b' if `accumulate`): a is rows_a x depth, b is rows_b x depth. One BLAS
/// thread: callers run many products at once.
void multiply_transposed(const float* a, Index stride_a, Index rows_a, const float* b,
                         Index stride_b, Index rows_b, Index depth, bool accumulate, float* out,
                         Index stride_out);

}  // namespace tamis
