#include "linalg/tridiagonal.hpp"

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "linalg/ordered_product.hpp"

namespace tamis {
namespace {

constexpr Index kRowsAtOnce = 4;

double inner_product(const double* a, const double* b, Index n) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    return sum_in_lanes(n, [=](Index r) TAMIS_KERNEL { return a[r] * b[r]; });
  });
}

/// Some rows, less v w' + w v' of theirs.
template <Index count, class Cpu>
TAMIS_INLINE void subtract_from_rows(double* rows, Index stride, Index first, const double* v,
                                     const double* w, Index row) {
  using Columns = Lanes<double, kOrderedColumns, Cpu>;
  double own_v[count];
  double own_w[count];
  for (Index i = 0; i < count; ++i) {
    own_v[i] = v[row + i];
    own_w[i] = w[row + i];
  }
  for (Index c = first; c < stride; c += kOrderedColumns) {
    const auto of_v = Columns::load(v + c);
    const auto of_w = Columns::load(w + c);
#pragma GCC unroll 4
    for (Index i = 0; i < count; ++i) {
      double* const values = rows + (row + i) * stride + c;
      (Columns::load(values) - (own_v[i] * of_w + own_w[i] * of_v)).store(values);
    }
  }
}

/// Rows and columns from `from` on, less v w' + w v'; the columns before them, from `first` on, are
/// not looked at any more.
void subtract_products(double* rows, Index side, Index stride, Index from, Index first,
                       const double* v, const double* w) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    Index i = from;
    for (; i + kRowsAtOnce <= side; i += kRowsAtOnce)
      subtract_from_rows<kRowsAtOnce, decltype(cpu)>(rows, stride, first, v, w, i);
    for (; i < side; ++i) subtract_from_rows<1, decltype(cpu)>(rows, stride, first, v, w, i);
  });
}

/// A power of two near to the largest number of the triangle: in multiples of it squares neither
/// overflow nor vanish.
double unit_of(const Buffer<double>& lower, Index side) {
  double largest = 0.0;
  for (Index r = 0; r < side; ++r)
    for (Index s = 0; s <= r; ++s) largest = std::max(largest, std::abs(lower[r * side + s]));
  constexpr int kLargestExponent = 1000;  // of which the inverse is a number, too
  if (largest == 0.0) return 1.0;
  return std::ldexp(1.0, std::clamp(std::ilogb(largest), -kLargestExponent, kLargestExponent));
}

Index before_register(Index column) { return column / kOrderedColumns * kOrderedColumns; }

}  // namespace

Tridiagonal::Tridiagonal(const Buffer<double>& lower, Index side)
    : side_(side),
      stride_(before_register(side + kOrderedColumns - 1)),
      rows_(side * stride_, 0.0),
      scales_(side, 0.0),
      diagonal_(side),
      beside_(std::max<Index>(0, side - 1)) {
  const double unit = unit_of(lower, side);
  const double inverse = 1.0 / unit;
  for (Index r = 0; r < side; ++r)
    for (Index s = 0; s <= r; ++s)
      rows_[r * stride_ + s] = rows_[s * stride_ + r] = lower[r * side + s] * inverse;
  std::vector<double> product(stride_);
  for (Index k = 0; k + 1 < side; ++k) reflect(k, product);
  diagonal_.back() = rows_[(side - 1) * stride_ + side - 1];
  for (double& value : diagonal_) value *= unit;
  for (double& value : beside_) value *= unit;
}

/// Row k, but for its first number, becomes v, with which I - scale v v' takes what is beside the
/// diagonal together: with A the rows and columns after it, they become
///   A - v w' - w v', w = p - (scale v'p / 2) v, p = scale A v.
void Tridiagonal::reflect(Index k, std::vector<double>& product) {
  const Index from = k + 1;
  const Index first = before_register(from);
  const Index width = stride_ - first;
  double* const v = &rows_[k * stride_];
  diagonal_[k] = v[k];
  beside_[k] = v[from];
  std::fill(v + first, v + from, 0.0);
  const double head = v[from];
  v[from] = 0.0;
  const double squares = inner_product(v + first, v + first, width);
  if (squares == 0.0) return;
  beside_[k] = -std::copysign(std::sqrt(head * head + squares), head);
  v[from] = head - beside_[k];
  scales_[k] = 2.0 / (v[from] * v[from] + squares);
  double* const w = product.data();
  multiply_in_order({v + from, 0}, {&rows_[from * stride_ + first], stride_}, 1, side_ - from,
                    width, w + first, 0);
  std::fill(w + first, w + from, 0.0);
  const double scale = scales_[k];
  const double along = 0.5 * scale * inner_product(v + first, w + first, width);
  for (Index c = from; c < side_; ++c) w[c] = scale * (w[c] - along * v[c]);
  subtract_products(rows_.data(), side_, stride_, from, first, v, w);
}

void Tridiagonal::rotate_back(double* vector) const {
  for (Index k = side_ - 2; k >= 0; --k) {
    const double* const v = &rows_[k * stride_];
    const Index n = side_ - k - 1;
    const double along = scales_[k] * inner_product(v + k + 1, vector + k + 1, n);
    for (Index r = k + 1; r < side_; ++r) vector[r] -= along * v[r];
  }
}

}  // namespace tamis
