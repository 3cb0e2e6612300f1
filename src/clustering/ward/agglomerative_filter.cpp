#include "clustering/ward/agglomerative_filter.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

namespace tamis {
namespace {

double largest_norm(const MatrixView& x) {
  const std::vector<double> origin(x.cols(), 0.0);
  double largest = 0.0;
  for (Index i = 0; i < x.rows(); ++i) largest = std::max(largest, squared_distance(x, i, origin));
  return std::sqrt(largest);
}

}  // namespace

/// With u = 2^-24, rounding row and point to float32 moves their distance d by at most e = 2uR, R
/// the largest norm, and the sum of squares has a relative error below (m/8 + 9)u. From
/// 2de <= cd^2 + e^2/c with c = 1e-4, an error relative to d^2 and one that is not.
DistanceFilter::DistanceFilter(const MatrixView& x, Index max_held)
    : x_(x), width_((x.cols() + kTileStep - 1) / kTileStep * kTileStep), places_(x.rows(), -1) {
  constexpr double kUnit = 0x1p-24;
  constexpr double kShare = 1e-4;
  constexpr Index kLanesOfSum = 8;
  const double largest = largest_norm(x);
  can_multiply_rows_ = std::isfinite(4.0 * static_cast<double>(x.rows()) * largest * largest);
  const double moved = 2.0 * kUnit * largest;
  const Index additions = width_ / kLanesOfSum + 9;
  relative_error_ = kShare + 2.0 * kUnit * static_cast<double>(additions);
  const double underflow = static_cast<double>(width_) * 0x1p-120;
  absolute_error_ = moved * moved / kShare + underflow;
  x.visit([&](const auto& view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, DenseView<float>>) floats_ = view;
  });
  const Index points = std::min(x.rows() / 2, max_held / width_);  // of two rows or more each
  held_ = Buffer<float>(points * width_);
  for (Index place = points; place > 0; --place)
    free_places_.push_back(static_cast<std::int32_t>(place - 1));
}

void DistanceFilter::put_row(Index row, float* room, Index place, TileRows& rows) const {
  const Index before = width_ - kTileStep;
  if (floats_ && !is_held(row)) {
    rows.columns[place] = floats_->row(row);
    rows.last[place] = room;
    std::copy_n(floats_->row(row) + before, x_.cols() - before, room);
    return;
  }
  if (!is_held(row)) copy_columns(x_, std::span(&row, 1), 0, x_.cols(), room);
  const float* const whole = is_held(row) ? held_.data() + places_[row] * width_ : room;
  rows.columns[place] = whole;
  rows.last[place] = whole + before;
}

void DistanceFilter::copy_point(const double* values, float* out) const {
  std::transform(values, values + x_.cols(), out, [](double v) { return static_cast<float>(v); });
  std::fill(out + x_.cols(), out + width_, 0.0F);
}

void DistanceFilter::hold(Index row, const double* values) {
  if (!is_held(row)) {
    if (free_places_.empty()) return;
    places_[row] = free_places_.back();
    free_places_.pop_back();
  }
  copy_point(values, held_.data() + places_[row] * width_);
}

void DistanceFilter::release(Index row) {
  if (!is_held(row)) return;
  free_places_.push_back(places_[row]);
  places_[row] = -1;
}

}  // namespace tamis
