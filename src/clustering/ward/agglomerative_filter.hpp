#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "clustering/ward/distance_tile.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Rows of a table, and points that stand in the place of some, as floats; and how far the squared
/// distances that measure_tile() finds of them may be too large.
class DistanceFilter {
 public:
  /// Holds points of at most `max_held` values.
  DistanceFilter(const MatrixView& x, Index max_held);
  DistanceFilter(const DistanceFilter&) = delete;
  DistanceFilter& operator=(const DistanceFilter&) = delete;

  /// Whether squared distances of rows, and their sum, are numbers.
  bool can_multiply_rows() const { return can_multiply_rows_; }
  /// Numbers of a row or point: columns, and zeros as many as a tile needs.
  Index width() const { return width_; }
  /// Room for so many rows or points.
  Buffer<float> make_room(Index count) const { return Buffer<float>(count * width_, 0.0F); }

  /// Lets one of the rows of a tile be what stands in the place of a row: a point that is held, or
  /// the row. What of it has to be copied is put into the room of one.
  void put_row(Index row, float* room, Index place, TileRows& rows) const;
  void copy_point(const double* values, float* out) const;

  bool is_held(Index row) const { return places_[row] >= 0; }
  /// Lets a point, no farther from the origin than some row is, stand in the place of a row, if
  /// there is room for it.
  void hold(Index row, const double* values);
  void release(Index row);

  /// At most the squared distance that was measured in float32; what became NaN says nothing.
  double bound(float measured) const {
    const float finite = std::min(measured, std::numeric_limits<float>::max());
    const double low = static_cast<double>(finite) * (1.0 - relative_error_) - absolute_error_;
    return low > 0.0 ? low : 0.0;
  }

 private:
  const MatrixView& x_;
  std::optional<DenseView<float>> floats_;  // the table, if that is what it is
  Index width_;
  double relative_error_;
  double absolute_error_;
  bool can_multiply_rows_;
  Buffer<float> held_;                // pages are taken as points come
  std::vector<std::int32_t> places_;  // of each row in held_, -1: none
  std::vector<std::int32_t> free_places_;
};

}  // namespace tamis
