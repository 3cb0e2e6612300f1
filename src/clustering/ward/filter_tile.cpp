#include "clustering/ward/filter_tile.hpp"

#include <algorithm>

namespace tamis {

void FilterTile::set(const std::array<Index, kTileRows>& rows) {
  rows_ = rows;
  ready_ = before_;
  for (Index l = 0; l < kTileRows; ++l) {
    const float* const row = filter_.in_place(rows[l]);
    columns[l] = row == nullptr ? room(l) : row;
    last[l] = room(l) + before_;
    if (row == nullptr) ready_ = 0;
  }
}

/// The first columns alone; then all others in one go, as few rows are far that do not show it
/// there.
void FilterTile::make_ready(Index count) {
  const Index begin = ready_;
  ready_ = begin > 0 ? filter_.width() : count;
  const Index end = std::min(ready_, filter_.cols());
  for (Index l = 0; l < kTileRows; ++l) {
    if (columns[l] == room(l))
      filter_.copy(rows_[l], begin, end, room(l) + begin);
    else if (end > before_)
      filter_.copy(rows_[l], before_, end, room(l) + before_);
  }
}

}  // namespace tamis
