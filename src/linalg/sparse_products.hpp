#pragma once

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Whose products are taken.
enum class Side { rows, columns };

/// How many products of two stored entries the inner products of all rows, or of all columns, take.
double sparse_product_count(const MatrixView& x, Side side);

/// Lower triangle of X X' (rows) or of X'X (columns) of a sparse table, from stored entries alone.
Buffer<double> sparse_products(const MatrixView& x, Side side);

}  // namespace tamis
