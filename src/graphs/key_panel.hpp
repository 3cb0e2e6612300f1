#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Rows whose keys one call computes, and groups of columns of which it keeps the smallest key.
inline constexpr Index kPanelRows = 32;
inline constexpr Index kColumnGroups = 64;

/// A few columns of a table as float32, padded to a multiple of kColumnGroups rows. They lie
/// feature-major in blocks of kColumnGroups rows, so that a block is read in one go whatever the
/// number of rows.
struct NarrowColumns {
  const float* values;  ///< blocks x cols x kColumnGroups
  const float* norms;   ///< squared, one per row; infinite for padding
  Index cols;
  Index rows;
  Index padded_rows;

  const float* block(Index row) const {
    return values + row / kColumnGroups * kColumnGroups * cols;
  }
};

/// Writes the keys |a|^2 + |b|^2 - 2 <a, b>, at least 0, of `height` rows from `first` with all
/// rows to keys (height x padded_rows), and to group_minima (height x kColumnGroups) the smallest
/// of the keys of rows g, g + kColumnGroups, ...; a row's key with itself is infinite, as are those
/// with padding. Heights are multiples of 4, but for the last rows, and then there is room for as
/// many. Roundings may differ between machines: keys only narrow a choice down.
void fill_key_panel(const NarrowColumns& columns, Index first, Index height, float* keys,
                    float* group_minima);

/// The same of all rows at once: the key of two rows is computed once. There is room for
/// padded_rows x padded_rows keys.
void fill_key_square(const NarrowColumns& columns, float* keys, float* group_minima);

}  // namespace tamis
