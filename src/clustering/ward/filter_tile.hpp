#pragma once

#include <array>

#include "clustering/ward/agglomerative_filter.hpp"
#include "clustering/ward/distance_tile.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// What stands in the place of some rows, to be measured at once. What has to be copied for that is
/// copied when it is needed: of most rows the first columns show that they are far.
class FilterTile : public TileRows {
 public:
  explicit FilterTile(const DistanceFilter& filter)
      : filter_(filter), before_(filter.width() - kTileStep), room_(filter.make_room(kTileRows)) {}

  void set(const std::array<Index, kTileRows>& rows);

 private:
  void make_ready(Index count) override;
  float* room(Index place) { return room_.data() + place * filter_.width(); }

  const DistanceFilter& filter_;
  Index before_;  // columns before the last step
  Buffer<float> room_;
  std::array<Index, kTileRows> rows_ = {};
};

}  // namespace tamis
