#pragma once

#include <array>

#include "tamis/core/index.hpp"

namespace tamis {

/// How many rows are measured at once.
inline constexpr Index kTileRows = 8;
/// Rows and points are a multiple of this wide: columns of 0 fill them up.
inline constexpr Index kTileStep = 16;

using TileRows = std::array<const float*, kTileRows>;

/// Writes the squared distance of point p, of `count` that lie one after the other, and rows[o] to
/// out[p * kTileRows + o]. Each is summed in at least 8 lanes; roundings may differ between
/// machines: these distances only narrow a choice down.
void measure_tile(const float* points, Index count, const TileRows& rows, Index width, float* out);

}  // namespace tamis
