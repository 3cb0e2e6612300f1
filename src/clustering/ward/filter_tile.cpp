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

void FilterTile::make_ready(Index count) {
  const Index begin = ready_;
  const Index end = std::min(count, filter_.cols());
  const auto is_copied = [&](Index l) { return columns[l] == room(l); };
  for (Index l = 0; l < kTileRows; ++l)
    if (begin > 0 && is_copied(l)) filter_.fetch(rows_[l], begin, end);
  for (Index l = 0; l < kTileRows; ++l) {
    if (is_copied(l))
      filter_.copy(rows_[l], begin, end, room(l) + begin);
    else if (end > before_)
      filter_.copy(rows_[l], before_, end, room(l) + before_);
  }
  ready_ = count;
}

}  // namespace tamis
