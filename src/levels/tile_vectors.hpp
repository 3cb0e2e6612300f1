#pragma once

#include "levels/symmetric_tiles.hpp"

namespace tamis {

/// Whether the products below can be had: the CPU multiplies and adds in one rounding.
bool has_tile_vectors();

/// right = T x and left = T'y of one tile, which is read once for both. Sums begin at 0 and take
/// one term after the other, each by one rounding: what BLAS computes on such a CPU, without the
/// copy of the tile that it makes first.
void multiply_tile(const double* tile, const double* x, const double* y, double* right,
                   double* left);

}  // namespace tamis
