#pragma once

#include <cstdint>
#include <limits>

namespace tamis {

/// Every row, column and count of non-zeros: signed, so that differences are safe, and 64 bits
/// wide.
using Index = std::int64_t;

/// The column of an entry that a sparse table stores: 32 bits, as SciPy has them, since an entry
/// costs as much for saying where it is as for what it is.
using ColumnIndex = std::int32_t;

/// The most rows and the most columns of a sparse table, which may be turned.
inline constexpr Index kMostSparseLines = std::numeric_limits<ColumnIndex>::max();

}  // namespace tamis
