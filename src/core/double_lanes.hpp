#pragma once

#include <cstdint>
#include <cstring>

#include "core/simd.hpp"

/// Vectors of doubles that every CPU of the last ten years holds in a register, for kernels that
/// want more than a loop which the compiler vectorises: TAMIS_MULTIVERSION functions are made of
/// these. No operation is fused or reordered, so the bits are the same on every machine.
namespace tamis {

using DoubleLanes __attribute__((vector_size(32))) = double;

TAMIS_INLINE void load_lanes(const double* from, DoubleLanes& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}
TAMIS_INLINE void store_lanes(const DoubleLanes& lanes, double* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}
TAMIS_INLINE double sum_of_lanes(const DoubleLanes& lanes) {
  double sum = 0.0;
  for (Index l = 0; l < kShortLanes<double>; ++l) sum += lanes[l];
  return sum;
}

/// exp of numbers up to 0, of several vectors at once so that none waits for another: 2^n times the
/// Taylor series of what is left, |r| < 0.35, up to the 10th power: a relative error below 3e-13.
template <int n>
TAMIS_INLINE void exponentiate(DoubleLanes (&x)[n]) {
  using Bits __attribute__((vector_size(sizeof(DoubleLanes)))) = std::uint64_t;
  constexpr double kRound = 6755399441055744.0;  // adding it leaves an integer in the low bits
  constexpr double kLog2High = 6.93147180369123816490e-01;
  constexpr double kLog2Low = 1.90821492927058770002e-10;
  constexpr double kSmallest = -707.0;  // below, 2^n has no bits of its own
  constexpr double kSeries[] = {
      1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0,
      1.0 / 24.0,      1.0 / 6.0,      1.0 / 2.0,     1.0,          1.0};
  DoubleLanes shifted[n];
  DoubleLanes rest[n];
  DoubleLanes series[n];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    shifted[v] = x[v] * 1.44269504088896340736 + kRound;
    const DoubleLanes power = shifted[v] - kRound;
    rest[v] = (x[v] - power * kLog2High) - power * kLog2Low;
    series[v] = rest[v] * kSeries[0] + kSeries[1];
  }
#pragma GCC unroll 16
  for (int p = 2; p < 11; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) series[v] = series[v] * rest[v] + kSeries[p];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    const Bits bits =
        reinterpret_cast<Bits>(series[v]) + (reinterpret_cast<Bits>(shifted[v]) << 52);
    x[v] = reinterpret_cast<DoubleLanes>(bits & reinterpret_cast<Bits>(x[v] >= kSmallest));
  }
}

}  // namespace tamis
