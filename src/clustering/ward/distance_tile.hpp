#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "tamis/core/index.hpp"

namespace tamis {

/// How many rows are measured at once.
inline constexpr Index kTileRows = 8;
/// Rows and points are a multiple of this wide: columns of 0 fill them up.
inline constexpr Index kTileStep = 16;

/// After so many columns, and each time that there are twice as many, it is seen whether rows are
/// far enough away.
inline constexpr Index kFirstLook = 64;
static_assert(kFirstLook % kTileStep == 0);
inline bool may_stop_early(Index width) { return kFirstLook < width - kTileStep; }

/// Rows in two parts, so that one which is read where it lies in a table needs no copy but that of
/// its end, filled up.
class TileRows {
 public:
  virtual ~TileRows() = default;

  std::array<const float*, kTileRows> columns = {};  ///< all but the last kTileStep
  std::array<const float*, kTileRows> last = {};     ///< kTileStep of them

  /// So many columns are read next.
  void need(Index count) {
    if (count > ready_) make_ready(count);
  }

 protected:
  virtual void make_ready(Index count) { ready_ = count; }

  Index ready_ = std::numeric_limits<Index>::max();  ///< columns that can be read
};

/// Pieces of a pass over rows of so many columns: long enough to be worth a thread.
inline Index tiles_per_task(Index cols) {
  constexpr Index kNumbers = 1 << 17;
  return std::max<Index>(2, kNumbers / std::max<Index>(1, cols * kTileRows));
}

/// Writes the squared distance of point p, of `count` that lie one after the other, and row o to
/// out[p * kTileRows + o]; or no more than that, but at least enough[p]. Each is summed in at least
/// 8 lanes; roundings may differ between machines: these distances only narrow a choice down.
void measure_tile(const float* points, Index count, TileRows& rows, Index width,
                  const float* enough, float* out);

}  // namespace tamis
