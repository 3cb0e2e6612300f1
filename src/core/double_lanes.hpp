#pragma once

#include <cstdint>

#include "core/lanes.hpp"

namespace tamis {

/// Four doubles: sums over them are taken in this many parts on every machine.
template <class Cpu>
using DoubleLanes = Lanes<double, 4, Cpu>;

/// exp of numbers up to 0, of several vectors at once so that none waits for another: 2^n times a
/// polynomial for 2^r, |r| <= 1/2. It is 1 + r p(r), p being the polynomial of degree 8 that equals
/// (2^r - 1) / r at the Chebyshev nodes; even and odd powers are added up side by side. The
/// relative error is below 4e-14 + 2e-16 |x|.
template <int n, class Cpu>
TAMIS_INLINE void exponentiate(DoubleLanes<Cpu> (&x)[n]) {
  using Vector = typename DoubleLanes<Cpu>::Vector;
  using Bits __attribute__((vector_size(sizeof(Vector)))) = std::uint64_t;
  constexpr double kRound = 6755399441055744.0;  // adding it leaves an integer in the low bits
  constexpr double kLog2E = 1.44269504088896340736;
  constexpr double kSmallest = -707.0;  // below, 2^n has no bits of its own
  constexpr double kEven[] = {1.3255224878668817e-06, 1.5403455852453838e-04, 9.618129159402558e-03,
                              2.402265069581299e-01, 1.0};
  constexpr double kOdd[] = {1.0203121063391729e-07, 1.525268684626772e-05, 1.3333558179043112e-03,
                             5.5504108664760424e-02, 6.931471805599453e-01};
  DoubleLanes<Cpu> shifted[n];
  DoubleLanes<Cpu> rest[n];
  DoubleLanes<Cpu> square[n];
  DoubleLanes<Cpu> even[n];
  DoubleLanes<Cpu> odd[n];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    const DoubleLanes<Cpu> power = x[v] * kLog2E;
    shifted[v] = power + kRound;
    rest[v] = power - (shifted[v] - kRound);
    square[v] = rest[v] * rest[v];
    even[v] = square[v] * kEven[0] + kEven[1];
    odd[v] = square[v] * kOdd[0] + kOdd[1];
  }
#pragma GCC unroll 4
  for (int p = 2; p < 5; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) {
      even[v] = even[v] * square[v] + kEven[p];
      odd[v] = odd[v] * square[v] + kOdd[p];
    }
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    const DoubleLanes<Cpu> series = odd[v] * rest[v] + even[v];
#pragma GCC unroll 2
    for (Index p = 0; p < DoubleLanes<Cpu>::kParts; ++p) {
      Vector& part = x[v].parts[p];
      const Bits bits = reinterpret_cast<Bits>(series.parts[p]) +
                        (reinterpret_cast<Bits>(shifted[v].parts[p]) << 52);
      part = reinterpret_cast<Vector>(bits & reinterpret_cast<Bits>(part >= kSmallest));
    }
  }
}

}  // namespace tamis
