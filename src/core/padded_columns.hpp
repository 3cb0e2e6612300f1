#pragma once

#include <span>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Copies columns first .. first + width - 1 of the given rows into out, row-major, each row of it
/// filled up with zeros to `stride` values: what kernels want that take so many columns at once.
void copy_padded_columns(const MatrixView& x, std::span<const Index> rows, Index first, Index width,
                         Index stride, double* out);

}  // namespace tamis
