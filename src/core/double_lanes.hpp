#pragma once

#include <cstdint>

#include "core/lanes.hpp"

namespace tamis {

/// Four doubles: sums over them are taken in this many parts on every machine.
template <class Cpu>
using DoubleLanes = Lanes<double, 4, Cpu>;

/// exp of numbers up to 0, of several vectors at once so that none waits for another: 2^n times the
/// Taylor series of what is left, |r| < 0.35, up to the 10th power: a relative error below 3e-13.
template <int n, class Cpu>
TAMIS_INLINE void exponentiate(DoubleLanes<Cpu> (&x)[n]) {
  using Vector = typename DoubleLanes<Cpu>::Vector;
  using Bits __attribute__((vector_size(sizeof(Vector)))) = std::uint64_t;
  constexpr double kRound = 6755399441055744.0;  // adding it leaves an integer in the low bits
  constexpr double kLog2High = 6.93147180369123816490e-01;
  constexpr double kLog2Low = 1.90821492927058770002e-10;
  constexpr double kSmallest = -707.0;  // below, 2^n has no bits of its own
  constexpr double kSeries[] = {
      1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0,
      1.0 / 24.0,      1.0 / 6.0,      1.0 / 2.0,     1.0,          1.0};
  DoubleLanes<Cpu> shifted[n];
  DoubleLanes<Cpu> rest[n];
  DoubleLanes<Cpu> series[n];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    shifted[v] = x[v] * 1.44269504088896340736 + kRound;
    const DoubleLanes<Cpu> power = shifted[v] - kRound;
    rest[v] = (x[v] - power * kLog2High) - power * kLog2Low;
    series[v] = rest[v] * kSeries[0] + kSeries[1];
  }
#pragma GCC unroll 16
  for (int p = 2; p < 11; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) series[v] = series[v] * rest[v] + kSeries[p];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v)
#pragma GCC unroll 2
    for (Index p = 0; p < DoubleLanes<Cpu>::kParts; ++p) {
      Vector& part = x[v].parts[p];
      const Bits bits = reinterpret_cast<Bits>(series[v].parts[p]) +
                        (reinterpret_cast<Bits>(shifted[v].parts[p]) << 52);
      part = reinterpret_cast<Vector>(bits & reinterpret_cast<Bits>(part >= kSmallest));
    }
}

}  // namespace tamis
