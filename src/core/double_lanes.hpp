#pragma once

#include <cstdint>

#include "core/lanes.hpp"

namespace tamis {

/// Four doubles: sums over them are taken in this many parts on every machine.
template <class Cpu>
using DoubleLanes = Lanes<double, 4, Cpu>;

inline constexpr double kLog2E = 1.44269504088896340736;

/// Keeps GCC from finishing one vector before it begins the next, as it likes to: the CPU, which
/// could work on several at once, looks only so far ahead. Clang refuses registers that only the
/// kernel around this one has.
template <class Cpu>
TAMIS_INLINE void in_turn([[maybe_unused]] DoubleLanes<Cpu>& x) {
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC unroll 2
  for (Index p = 0; p < DoubleLanes<Cpu>::kParts; ++p) asm volatile("" : "+x"(x.parts[p]));
#endif
}

/// 2^x of numbers from -1020 to 1020, of several vectors at once so that none waits for another:
/// 2^n times a polynomial for 2^r, |r| <= 1/2. It is 1 + r p(r), p being the polynomial of degree 8
/// that equals (2^r - 1) / r at the Chebyshev nodes; even and odd powers are added up side by side.
/// The relative error is below 4e-14.
template <int n, class Cpu>
TAMIS_INLINE void raise_two(DoubleLanes<Cpu> (&x)[n]) {
  using Vector = typename DoubleLanes<Cpu>::Vector;
  using Bits __attribute__((vector_size(sizeof(Vector)))) = std::uint64_t;
  constexpr double kRound = 6755399441055744.0;  // adding it leaves an integer in the low bits
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
    shifted[v] = x[v] + kRound;
    in_turn(shifted[v]);
  }
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    rest[v] = x[v] - (shifted[v] - kRound);
    in_turn(rest[v]);
  }
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    square[v] = rest[v] * rest[v];
    in_turn(square[v]);
  }
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    even[v] = square[v] * kEven[0] + kEven[1];
    in_turn(even[v]);
    odd[v] = square[v] * kOdd[0] + kOdd[1];
    in_turn(odd[v]);
  }
#pragma GCC unroll 4
  for (int p = 2; p < 5; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) {
      even[v] = even[v] * square[v] + kEven[p];
      in_turn(even[v]);
      odd[v] = odd[v] * square[v] + kOdd[p];
      in_turn(odd[v]);
    }
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    const DoubleLanes<Cpu> series = odd[v] * rest[v] + even[v];
#pragma GCC unroll 2
    for (Index p = 0; p < DoubleLanes<Cpu>::kParts; ++p) {
      const Bits bits = reinterpret_cast<Bits>(series.parts[p]) +
                        (reinterpret_cast<Bits>(shifted[v].parts[p]) << 52);
      x[v].parts[p] = reinterpret_cast<Vector>(bits);
    }
  }
}

/// The same of numbers up to 0, however small: below 2^-1020 it is 0.
template <int n, class Cpu>
TAMIS_INLINE void raise_two_or_vanish(DoubleLanes<Cpu> (&x)[n]) {
  using Vector = typename DoubleLanes<Cpu>::Vector;
  using Bits __attribute__((vector_size(sizeof(Vector)))) = std::uint64_t;
  constexpr double kSmallest = -1020.0;  // below, 2^n has no bits of its own
  DoubleLanes<Cpu> powers[n];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) powers[v] = x[v];
  raise_two(powers);
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v)
#pragma GCC unroll 2
    for (Index p = 0; p < DoubleLanes<Cpu>::kParts; ++p) {
      Vector& part = x[v].parts[p];
      part = reinterpret_cast<Vector>(reinterpret_cast<Bits>(powers[v].parts[p]) &
                                      reinterpret_cast<Bits>(part >= kSmallest));
    }
}

/// exp of numbers up to 0 likewise: the relative error is below 4e-14 + 2e-16 |x|.
template <int n, class Cpu>
TAMIS_INLINE void exponentiate(DoubleLanes<Cpu> (&x)[n]) {
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) x[v] = x[v] * kLog2E;
  raise_two_or_vanish(x);
}

}  // namespace tamis
