#include "clustering/ward/agglomerative_filter.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "clustering/ward/fetch.hpp"

namespace tamis {
namespace {

double largest_norm(const MatrixView& x) {
  const std::vector<double> origin(x.cols(), 0.0);
  double largest = 0.0;
  for (Index i = 0; i < x.rows(); ++i) largest = std::max(largest, squared_distance(x, i, origin));
  return std::sqrt(largest);
}

/// Of distances d that are wrong by e at most, 2de <= cd^2 + e^2/c: an error relative to d^2, with
/// this c, and one that is not.
constexpr double kShare = 1e-4;

std::vector<float> mean_of(const MatrixView& x) {
  const std::vector<double> mean = moments(x).mean;
  return {mean.begin(), mean.end()};
}

Index padded(Index cols) { return (cols + kTileStep - 1) / kTileStep * kTileStep; }

}  // namespace

/// With u = 2^-24, rounding a row or a point to float32 moves it by at most uR, R the largest norm,
/// and the sum of squares has a relative error below (m/8 + 9)u.
DistanceFilter::DistanceFilter(const MatrixView& x, Index max_held)
    : x_(x),
      width_(padded(x.cols())),
      held_(x.rows(), mean_of(x),
            std::min(x.rows() / 2, max_held / width_)),  // two rows or more each
      room_(width_) {
  constexpr double kUnit = 0x1p-24;
  constexpr Index kLanesOfSum = 8;
  const double largest = largest_norm(x);
  can_multiply_rows_ = std::isfinite(4.0 * static_cast<double>(x.rows()) * largest * largest);
  rounding_ = kUnit * largest;
  error_of_rows_ = absolute_error_of(2.0 * rounding_);
  errors_.assign(x.rows(), error_of_rows_);
  const Index additions = width_ / kLanesOfSum + 9;
  relative_error_ = kShare + 2.0 * kUnit * static_cast<double>(additions);
  x.visit([&](const auto& view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, DenseView<float>>) floats_ = view;
  });
}

double DistanceFilter::absolute_error_of(double moved) const {
  const double underflow = static_cast<double>(width_) * 0x1p-120;
  return moved * moved / kShare + underflow;
}

/// Some columns of a row, where they lie or in the room of so many.
const float* DistanceFilter::row_values(Index row, Index begin, Index end, float* room) const {
  if (floats_) return floats_->row(row) + begin;
  copy_columns(x_, std::span(&row, 1), begin, end - begin, room);
  return room;
}

void DistanceFilter::copy(Index row, Index begin, Index end, float* out) const {
  const bool is_point = is_held(row);
  const float* const values =
      is_point && !held_.needs_row(row) ? nullptr : row_values(row, begin, end, out);
  if (is_point)
    held_.write(row, values, begin, end, out);
  else if (values != out)
    std::copy_n(values, end - begin, out);
}

void DistanceFilter::fetch(Index row, Index begin, Index end) const {
  if (is_held(row)) held_.fetch(row, begin, end);
  if (is_held(row) && !held_.needs_row(row)) return;
  x_.visit([&](const auto& view) {
    if constexpr (requires { view.row(0); }) fetch_numbers(view.row(row) + begin, end - begin);
  });
}

void DistanceFilter::copy_point(const double* values, float* out) const {
  std::transform(values, values + x_.cols(), out, [](double v) { return static_cast<float>(v); });
  std::fill(out + x_.cols(), out + width_, 0.0F);
}

void DistanceFilter::hold(Index row, const double* values) {
  held_.hold(row, row_values(row, 0, x_.cols(), room_.data()), values);
  if (is_held(row)) errors_[row] = absolute_error_of(rounding_ + held_.error(row));
}

void DistanceFilter::release(Index row) {
  held_.release(row);
  errors_[row] = error_of_rows_;
}

}  // namespace tamis
