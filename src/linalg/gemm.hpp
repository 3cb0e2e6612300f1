#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Matrices are row-major; a matrix is given by its first element and the distance of its rows.

/// out = a b' (or out += a b' if `accumulate`): a is rows_a x depth, b is rows_b x depth. One BLAS
/// thread: callers run many products at once.
void multiply_transposed(const float* a, Index stride_a, Index rows_a, const float* b,
                         Index stride_b, Index rows_b, Index depth, bool accumulate, float* out,
                         Index stride_out);

/// out += a b': a is rows_a x depth, b is rows_b x depth.
void add_transposed(const double* a, Index stride_a, Index rows_a, const double* b, Index stride_b,
                    Index rows_b, Index depth, double* out, Index stride_out);

/// Lower triangle of out += block' block (cols x cols), block being rows x cols.
void add_cross_products(const double* block, Index rows, Index cols, double* out);

/// Lower triangle of out += block block' (rows x rows).
void add_row_products(const double* block, Index rows, Index cols, double* out);

/// out = a b: a is rows x depth, b is depth x cols.
void multiply(const double* a, const double* b, Index rows, Index depth, Index cols, double* out);

/// out += a b: a is rows x depth, b is depth x cols, out is contiguous.
void add_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                 Index cols, float* out);
void add_product(const double* a, Index stride_a, const double* b, Index rows, Index depth,
                 Index cols, double* out);

/// out += a' b: a is depth x rows, b is depth x cols, out is contiguous.
void add_transposed_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                            Index cols, float* out);
void add_transposed_product(const double* a, Index stride_a, const double* b, Index rows,
                            Index depth, Index cols, double* out);

}  // namespace tamis
