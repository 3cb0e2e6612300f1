#pragma once

#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Columns first .. end - 1 of a table.
struct ColumnPart {
  Index first = 0;
  Index end = 0;

  Index count() const { return end - first; }
};

/// All columns in at most so many parts of about as many columns.
std::vector<ColumnPart> even_parts(Index cols, Index count);

/// All columns in at most so many parts whose products with all columns up to the last of the part
/// take about as much memory. Parts begin where tiles do (symmetric_tiles.hpp).
std::vector<ColumnPart> product_parts(Index cols, Index count);

}  // namespace tamis
