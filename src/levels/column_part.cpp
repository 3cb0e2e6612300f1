#include "levels/column_part.hpp"

#include <algorithm>
#include <cmath>

#include "levels/column_chunks.hpp"
#include "levels/symmetric_tiles.hpp"

namespace tamis {
namespace {

/// Parts that end after the given share of `units`, each of so many columns.
template <class Share>
std::vector<ColumnPart> parts_by(Index cols, Index unit, Index count, const Share& share) {
  const Index units = (cols + unit - 1) / unit;
  std::vector<ColumnPart> parts;
  Index first = 0;
  for (Index p = 1; p <= count; ++p) {
    const double end = std::round(share(static_cast<double>(p) / static_cast<double>(count)) *
                                  static_cast<double>(units));
    const Index last = std::min(cols, static_cast<Index>(end) * unit);
    if (last > first) parts.push_back({first, last});
    first = std::max(first, last);
  }
  return parts;
}

}  // namespace

std::vector<ColumnPart> even_parts(Index cols, Index count) {
  return parts_by(cols, kChunkColumns, count, [](double share) { return share; });
}

std::vector<ColumnPart> product_parts(Index cols, Index count) {
  return parts_by(cols, kTileSide, count, [](double share) { return std::sqrt(share); });
}

}  // namespace tamis
