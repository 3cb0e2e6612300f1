#pragma once

#include <span>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Copies the listed columns, in any order, of the given rows into out, row-major (rows x columns).
void copy_listed_columns(const MatrixView& x, std::span<const Index> rows,
                         std::span<const Index> columns, double* out);

}  // namespace tamis
