#include "agglomerative_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "tamis/core/simd.hpp"

namespace tamis {
namespace {

using Lanes __attribute__((vector_size(64))) = float;
constexpr Index kLanes = 16;

TAMIS_INLINE float join(const Lanes& lanes) {
  std::array<float, kLanes> sums;
  std::memcpy(sums.data(), &lanes, sizeof lanes);
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

template <Index kCount>
TAMIS_INLINE void measure_points(const float* row, const float* points, Index width, float* out) {
  Lanes sums[kCount] = {};
  for (Index r = 0; r < width; r += kLanes) {
    Lanes own;
    std::memcpy(&own, row + r, sizeof own);
    for (Index p = 0; p < kCount; ++p) {
      Lanes difference;
      std::memcpy(&difference, points + p * width + r, sizeof difference);
      difference -= own;
      sums[p] += difference * difference;
    }
  }
  for (Index p = 0; p < kCount; ++p) out[p] = join(sums[p]);
}
TAMIS_MULTIVERSION void measure_all(const float* row, const float* points, Index width,
                                    float* out) {
  measure_points<DistanceFilter::kPoints>(row, points, width, out);
}
TAMIS_MULTIVERSION void measure_first(const float* row, const float* points, Index width,
                                      float* out) {
  measure_points<1>(row, points, width, out);
}

double largest_norm(const MatrixView& x) {
  const std::vector<double> origin(x.cols(), 0.0);
  double largest = 0.0;
  for (Index i = 0; i < x.rows(); ++i) largest = std::max(largest, squared_distance(x, i, origin));
  return std::sqrt(largest);
}

}  // namespace

/// With u = 2^-24, rounding row and point to float32 moves their distance d by at most e = 2uR, R
/// the largest norm, and the sum of squares has a relative error below (m/16 + 8)u. From
/// 2de <= cd^2 + e^2/c with c = 1e-4, an error relative to d^2 and one that is not.
DistanceFilter::DistanceFilter(const MatrixView& x)
    : x_(x), width_((x.cols() + kLanes - 1) / kLanes * kLanes) {
  constexpr double kUnit = 0x1p-24;
  constexpr double kShare = 1e-4;
  const double moved = 2.0 * kUnit * largest_norm(x);
  relative_error_ = kShare + 2.0 * kUnit * static_cast<double>(width_ / kLanes + 8);
  const double underflow = static_cast<double>(width_) * 0x1p-120;
  absolute_error_ = moved * moved / kShare + underflow;
}

void DistanceFilter::set_point(Points& points, Index place, const double* values) const {
  std::transform(values, values + x_.cols(), points.begin() + place * width_,
                 [](double value) { return static_cast<float>(value); });
}

const float* DistanceFilter::load(Index i, Buffer<float>& row) const {
  const auto* const floats = x_.visit([&](const auto& view) -> const float* {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, DenseView<float>>)
      return view.row(i);
    else
      return nullptr;
  });
  if (floats != nullptr && x_.cols() == width_) return floats;
  copy_columns(x_, std::span(&i, 1), 0, x_.cols(), row.data());
  return row.data();
}

void DistanceFilter::measure(Index i, const Points& points, Buffer<float>& row,
                             double* bounds) const {
  std::array<float, kPoints> measured;
  measure_all(load(i, row), points.data(), width_, measured.data());
  std::transform(measured.begin(), measured.end(), bounds, [&](float d) { return bound(d); });
}

double DistanceFilter::measure_one(Index i, const Points& points, Buffer<float>& row) const {
  float measured = 0.0F;
  measure_first(load(i, row), points.data(), width_, &measured);
  return bound(measured);
}

}  // namespace tamis
