#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Squared distances of points and rows in float32, as bounds: fast, never too large.
class DistanceFilter {
 public:
  /// How many points are measured against one at once.
  static constexpr Index kAtOnce = 8;
  using Bounds = std::array<float, kAtOnce>;
  using Pointers = std::array<const float*, kAtOnce>;

  explicit DistanceFilter(const MatrixView& x);
  DistanceFilter(const DistanceFilter&) = delete;
  DistanceFilter& operator=(const DistanceFilter&) = delete;

  /// Whether squared distances of rows, and their sum, are numbers.
  bool can_multiply_rows() const { return can_multiply_rows_; }
  /// Room for kAtOnce rows or points in the form in which the filter reads them.
  Buffer<float> make_room() const { return Buffer<float>(kAtOnce * width_, 0.0F); }
  /// The row in that form: in the table itself, or copied to a place of the room.
  const float* row(Index i, Buffer<float>& room, Index place) const;
  const float* point(const double* values, Buffer<float>& room, Index place) const;

  /// Copies the table as floats: rows are read n times, and those of a copy can be replaced.
  void hold_rows();
  bool is_held() const { return !held_.empty(); }
  Index size() const { return x_.rows() * width_; }  ///< of the copy
  /// Lets a point, no farther from the origin than some row is, stand in the place of a row.
  void replace(Index row, const double* values);

  /// bounds[p] <= the squared distance of `one` and others[p].
  Bounds measure(const float* one, const Pointers& others) const;

 private:
  const MatrixView& x_;
  Index width_;           // columns, but no fewer than fill the widest vector
  const float* floats_;   // the table, if rows can be read as they are
  Buffer<float> held_{};  // of them, if they were copied
  Index stride_ = 0;
  double relative_error_;
  double absolute_error_;
  bool can_multiply_rows_;
};

}  // namespace tamis
