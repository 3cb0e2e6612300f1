#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// The key of a row x and a centre c is |c|^2 - 2 <x, c> in float32: their squared distance less
/// |x|^2. Keys only narrow the choice of the nearest centre down, and their roundings may differ
/// between machines.

/// Rows whose keys are computed at once: whole registers on every machine.
inline constexpr Index kKeyRows = 48;
/// Rounded rows are filled up with zeros to a multiple of so many columns.
inline constexpr Index kKeyColumns = 16;
inline Index padded_for_keys(Index cols) {
  return (cols + kKeyColumns - 1) / kKeyColumns * kKeyColumns;
}

/// How rows and centres become float32: less the shift, times the scale.
struct KeySpace {
  const double* shift;
  double scale;
  Index cols;
};

/// Rounds `count` rows that lie one after the other, and writes their squared norms.
void round_rows(const float* rows, Index count, const KeySpace& space, float* out, float* norms);
void round_rows(const double* rows, Index count, const KeySpace& space, float* out, float* norms);

/// Writes kKeyRows rounded rows column by column (cols x kKeyRows).
void lay_side_by_side(const float* rounded, Index cols, float* out);

/// Laid side by side.
struct KeyRows {
  const float* values;
  const float* norms;  ///< squared
};
/// Rounded.
struct KeyCenters {
  const float* values;
  const float* norms;  ///< squared
  float largest_norm;  ///< of those
  Index count;
  Index cols;
};

/// Which centres may be the nearest, for each of kKeyRows rows.
struct NearCenters {
  float limits[kKeyRows];  ///< the key of the nearest centre is below; infinite where none tells
  float counts[kKeyRows];  ///< of the keys below
  float places[kKeyRows];  ///< the sum of their centres: if it is one, that one
};

/// Writes all keys (centres x kKeyRows) and what they say.
void find_near_centers(const KeyRows& rows, const KeyCenters& centers, float* keys,
                       NearCenters& out);

}  // namespace tamis
