#pragma once

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Squared distances of points and rows in float32, as bounds: fast, never too large.
class DistanceFilter {
 public:
  /// Points that are measured against a row at once.
  static constexpr Index kPoints = 8;

  /// Points in the form in which the filter reads them, one after the other.
  using Points = Buffer<float>;

  explicit DistanceFilter(const MatrixView& x);

  Points make_points() const { return Points(kPoints * width_, 0.0F); }
  void set_point(Points& points, Index place, const double* values) const;

  /// One thread's copy of a row.
  Buffer<float> make_row() const { return Buffer<float>(width_, 0.0F); }

  /// bounds[p] <= the squared distance of row i and point p, for kPoints points.
  void measure(Index i, const Points& points, Buffer<float>& row, double* bounds) const;
  /// The same for the first point alone.
  double measure_one(Index i, const Points& points, Buffer<float>& row) const;

 private:
  const float* load(Index i, Buffer<float>& row) const;
  double bound(float measured) const {
    const double low = static_cast<double>(measured) * (1.0 - relative_error_) - absolute_error_;
    return low > 0.0 ? low : 0.0;  // what overflowed to NaN says nothing
  }

  const MatrixView& x_;
  Index width_;  // columns, filled up to whole vectors
  double relative_error_;
  double absolute_error_;
};

}  // namespace tamis
