#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "clustering/ward/distance_tile.hpp"
#include "clustering/ward/held_points.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Rows of a table, and points that stand in the place of some; and how far the squared distances
/// that measure_tile() finds of them, as floats, may be too large.
class DistanceFilter {
 public:
  /// Holds points of at most `max_held` values.
  DistanceFilter(const MatrixView& x, Index max_held);
  DistanceFilter(const DistanceFilter&) = delete;
  DistanceFilter& operator=(const DistanceFilter&) = delete;

  /// Whether squared distances of rows, and their sum, are numbers.
  bool can_multiply_rows() const { return can_multiply_rows_; }
  Index cols() const { return x_.cols(); }
  /// Numbers of a row or point: columns, and zeros as many as a tile needs.
  Index width() const { return width_; }
  /// Room for so many rows or points.
  Buffer<float> make_room(Index count) const { return Buffer<float>(count * width_, 0.0F); }

  /// The row as it lies in the table, null if what stands in its place has to be copied.
  const float* in_place(Index row) const {
    return floats_ && !is_held(row) ? floats_->row(row) : nullptr;
  }
  /// Copies some columns of what stands in the place of a row: a point that is held, or the row.
  void copy(Index row, Index begin, Index end, float* out) const;
  /// Asks for columns that will be copied, or read in place.
  void fetch(Index row, Index begin, Index end) const;
  void copy_point(const double* values, float* out) const;

  bool is_held(Index row) const { return held_.holds(row); }
  /// Lets a point, no farther from the origin than some row is, stand in the place of a row, if
  /// there is room for it.
  void hold(Index row, const double* values);
  void release(Index row);

  /// How far a squared distance may be too large, beside what is relative to it, of a point and
  /// what stands in the place of a row.
  double absolute_error(Index row) const { return errors_[row]; }
  /// At most the squared distance that was measured in float32; what became NaN says nothing.
  double bound(float measured, double absolute_error) const {
    const float finite = std::min(measured, std::numeric_limits<float>::max());
    const double low = static_cast<double>(finite) * (1.0 - relative_error_) - absolute_error;
    return low > 0.0 ? low : 0.0;
  }

 private:
  double absolute_error_of(double moved) const;
  const float* row_values(Index row, Index begin, Index end, float* room) const;

  const MatrixView& x_;
  std::optional<DenseView<float>> floats_;  // the table, if that is what it is
  Index width_;
  double rounding_;  // by which float32 moves a row or a point at most
  double relative_error_;
  bool can_multiply_rows_;
  double error_of_rows_;
  std::vector<double> errors_;  // of each row, or what stands in its place
  HeldPoints held_;
  Buffer<float> room_;
};

}  // namespace tamis
