#include "clustering/ward/agglomerative_filter.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "core/lanes.hpp"
#include "core/simd.hpp"

namespace tamis {
namespace {

using Floats __attribute__((vector_size(32))) = float;
constexpr Index kFloats = kShortLanes<float>;
constexpr Index kAtOnce = DistanceFilter::kAtOnce;
/// Columns that are added up side by side: a register of them, but no fewer than `Floats` has.
template <class Cpu>
constexpr Index kDistanceLanes = std::max(kFloats, kRegisterLanes<float, Cpu>);
constexpr Index kMostDistanceLanes = kDistanceLanes<Avx512Cpu>;

/// a becomes the sums of neighbouring lanes: those of a, then those of b.
TAMIS_INLINE void add_neighbors(Floats& a, const Floats& b) {
  const Floats even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  const Floats odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  a = even + odd;
}

/// The sum of the lanes of each of the kAtOnce vectors.
TAMIS_INLINE void join(Floats* sums, float* out) {
  static_assert(kAtOnce == 8 && kFloats == 8);  // written out: a loop would go through memory
  add_neighbors(sums[0], sums[1]);
  add_neighbors(sums[2], sums[3]);
  add_neighbors(sums[4], sums[5]);
  add_neighbors(sums[6], sums[7]);
  add_neighbors(sums[0], sums[2]);
  add_neighbors(sums[4], sums[6]);
  add_neighbors(sums[0], sums[4]);
  std::memcpy(out, sums, kAtOnce * sizeof(float));
}

/// The sums of a point's kAtOnce squared distances, each in lanes.
template <class Cpu>
TAMIS_INLINE void join_lanes(const Lanes<float, kDistanceLanes<Cpu>, Cpu>* sums, float* out) {
  Floats joined[kAtOnce];
#pragma GCC unroll 8
  for (Index p = 0; p < kAtOnce; ++p) {
    float lanes[kDistanceLanes<Cpu>];
    sums[p].store(lanes);
    std::memcpy(&joined[p], lanes, sizeof(Floats));
    for (Index l = kFloats; l < kDistanceLanes<Cpu>; l += kFloats) {
      Floats more;
      std::memcpy(&more, lanes + l, sizeof more);
      joined[p] += more;
    }
  }
  join(joined, out);
}

/// What is left beyond whole vectors is read as the last vector of the row, where lanes that were
/// counted before are multiplied by 0.
void measure_lanes(const float* one, const float* const* others, Index width, float* out) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    using Vector = Lanes<float, kDistanceLanes<Cpu>, Cpu>;
    Vector sums[kAtOnce] = {};
    Index r = 0;
    for (; r + kDistanceLanes<Cpu> <= width; r += kDistanceLanes<Cpu>) {
      const auto own = Vector::load(one + r);
#pragma GCC unroll 8
      for (Index p = 0; p < kAtOnce; ++p) {
        const Vector difference = own - Vector::load(others[p] + r);
        sums[p] += difference * difference;
      }
    }
    if (r < width) {
      const Index last = width - kDistanceLanes<Cpu>;
      float is_fresh[kDistanceLanes<Cpu>];
      for (Index l = 0; l < kDistanceLanes<Cpu>; ++l) is_fresh[l] = last + l >= r ? 1.0F : 0.0F;
      const auto fresh = Vector::load(is_fresh);
      const auto own = Vector::load(one + last);
#pragma GCC unroll 8
      for (Index p = 0; p < kAtOnce; ++p) {
        const Vector difference = fresh * (own - Vector::load(others[p] + last));
        sums[p] += difference * difference;
      }
    }
    join_lanes<Cpu>(sums, out);
  });
}

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
DistanceFilter::DistanceFilter(const MatrixView& x)
    : x_(x), width_(std::max(x.cols(), kMostDistanceLanes)), floats_(nullptr) {
  constexpr double kUnit = 0x1p-24;
  constexpr double kShare = 1e-4;
  const double largest = largest_norm(x);
  can_multiply_rows_ = std::isfinite(4.0 * static_cast<double>(x.rows()) * largest * largest);
  const double moved = 2.0 * kUnit * largest;
  const Index additions = width_ / kFloats + 9;
  relative_error_ = kShare + 2.0 * kUnit * static_cast<double>(additions);
  const double underflow = static_cast<double>(width_) * 0x1p-120;
  absolute_error_ = moved * moved / kShare + underflow;
  x.visit([&](const auto& view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, DenseView<float>>) {
      if (view.cols() < kMostDistanceLanes) return;
      floats_ = view.row(0);
      stride_ = view.rows() > 1 ? view.row(1) - view.row(0) : 0;
    }
  });
}

void DistanceFilter::hold_rows() {
  held_ = Buffer<float>(x_.rows() * width_, 0.0F);
  for (Index i = 0; i < x_.rows(); ++i)
    copy_columns(x_, std::span(&i, 1), 0, x_.cols(), held_.data() + i * width_);
  floats_ = held_.data();
  stride_ = width_;
}

const float* DistanceFilter::row(Index i, Buffer<float>& room, Index place) const {
  if (floats_ != nullptr) return floats_ + i * stride_;
  float* const copy = room.data() + place * width_;
  copy_columns(x_, std::span(&i, 1), 0, x_.cols(), copy);
  return copy;
}

const float* DistanceFilter::point(const double* values, Buffer<float>& room, Index place) const {
  float* const copy = room.data() + place * width_;
  std::transform(values, values + x_.cols(), copy, [](double v) { return static_cast<float>(v); });
  return copy;
}

void DistanceFilter::replace(Index row, const double* values) { point(values, held_, row); }

DistanceFilter::Bounds DistanceFilter::measure(const float* one, const Pointers& others) const {
  std::array<float, kAtOnce> measured;
  measure_lanes(one, others.data(), width_, measured.data());
  Bounds bounds;
  for (Index p = 0; p < kAtOnce; ++p) {
    const float finite = std::min(measured[p], std::numeric_limits<float>::max());
    const double low = static_cast<double>(finite) * (1.0 - relative_error_) - absolute_error_;
    bounds[p] = low > 0.0 ? static_cast<float>(low) : 0.0F;  // what became NaN says nothing
  }
  return bounds;
}

}  // namespace tamis
