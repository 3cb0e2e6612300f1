#pragma once

#include <cstdint>

#include "tamis/core/index.hpp"

namespace tamis {

/// Vectors of 16-bit integers that are multiplied at once: a tile of them lies pair by pair, two
/// neighbouring numbers of a vector as one of 32 bits, those of all vectors side by side.
inline constexpr Index kIntegerTile = 48;

/// Whether this CPU has instructions for their products.
bool has_integer_tiles();

/// Whether products of integers of 16 bits cost less than those of floats, as BLAS takes them: not
/// with AVX-512 alone, where it takes an instruction more to add.
bool integers_outrun_floats();

/// out (kIntegerTile x kIntegerTile, row-major) = a b': inner products of the vectors of two tiles,
/// of those of a at least the first `rows`, and whatever else in the rows after them. Sums must be
/// within 32 bits.
void multiply_integer_tiles(const std::int32_t* a, Index rows, const std::int32_t* b, Index pairs,
                            std::int32_t* out);

}  // namespace tamis
