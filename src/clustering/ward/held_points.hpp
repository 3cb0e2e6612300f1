#pragma once

#include <cstdint>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Points that stand in the place of rows of a table, in half the memory of floats: as what they
/// differ by from an origin, in integers of 16 bits times a unit of their own. The origin is that
/// of all points, near which they are cheap to read; or the row, if the point is so much nearer to
/// it that the rounding would count. What is held is another point than was given, at a distance
/// that is known.
class HeldPoints {
 public:
  /// Room for so many points of a table with so many rows.
  HeldPoints(Index rows, std::vector<float> origin, Index most);

  bool holds(Index row) const { return places_[row] >= 0; }
  /// Holds a point in the place of a row, if there is room for it.
  void hold(Index row, const float* row_values, const double* point);
  void release(Index row);

  /// Whether write() reads the row.
  bool needs_row(Index row) const { return held_[places_[row]].is_near_row; }
  /// Some columns of what is held, of which `row_values` are those of its row.
  void write(Index row, const float* row_values, Index begin, Index end, float* out) const;
  /// Asks for what that will read beside the row.
  void fetch(Index row, Index begin, Index end) const;
  /// How far that is from what was given; infinite or not a number where that is not known.
  double error(Index row) const { return held_[places_[row]].error; }

 private:
  struct Held {
    float unit;
    bool is_near_row;
    double error;
  };
  Index cols() const { return static_cast<Index>(origin_.size()); }
  void round(Index row, const float* row_values, const double* point, bool is_near_row);

  std::vector<float> origin_;
  Buffer<std::int16_t> differences_;  // pages are taken as points come
  std::vector<Held> held_;
  std::vector<std::int32_t> places_;  // of each row, -1: none
  std::vector<std::int32_t> free_places_;
  std::vector<float> written_;
};

}  // namespace tamis
