#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/cpu.hpp"

namespace tamis {

/// n numbers that are computed on at once, in as many registers of the CPU as they fill: for
/// kernels that want more than a loop which the compiler vectorises, and that add in the same order
/// on every machine. No operation is fused or reordered. Vectors are an extension of GCC and Clang.
template <class T, Index n, class Cpu>
struct Lanes {
  static constexpr Index kPartBytes =
      std::min(n * static_cast<Index>(sizeof(T)), Cpu::kVectorBytes);
  using Vector __attribute__((vector_size(kPartBytes))) = T;
  static constexpr Index kLanesOfPart = kPartBytes / static_cast<Index>(sizeof(T));
  static constexpr Index kParts = n / kLanesOfPart;

  Vector parts[kParts];

  /// The next n numbers, converted if they are of another type.
  template <class U>
  TAMIS_INLINE static Lanes load(const U* from) {
    if constexpr (sizeof(U) < sizeof(T) && kParts > 1) return widened(Lanes<U, n, Cpu>::load(from));
    using Source __attribute__((vector_size(kLanesOfPart * sizeof(U)))) = U;
    return made([&](Index p, Vector& part) TAMIS_KERNEL {
      Source source;
      std::memcpy(&source, from + p * kLanesOfPart, sizeof source);
      part = __builtin_convertvector(source, Vector);
    });
  }
  TAMIS_INLINE static Lanes of(T value) {
    return made([&](Index, Vector& part) TAMIS_KERNEL { part = value - Vector{}; });
  }
  TAMIS_INLINE void store(T* to) const {
#pragma GCC unroll 16
    for (Index p = 0; p < kParts; ++p)  // all at once would go through memory
      std::memcpy(to + p * kLanesOfPart, &parts[p], sizeof(Vector));
  }
  TAMIS_INLINE T operator[](Index lane) const {
    return parts[lane / kLanesOfPart][lane % kLanesOfPart];
  }

  TAMIS_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] + b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] - b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] * b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator-(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] - b; });
  }
  TAMIS_INLINE friend Lanes operator-(T a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a - b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator+(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] + b; });
  }
  TAMIS_INLINE friend Lanes operator+(T a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a + b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator*(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] * b; });
  }
  TAMIS_INLINE friend Lanes operator*(T a, const Lanes& b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a * b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes operator/(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] / b; });
  }
  TAMIS_INLINE friend Lanes operator-(const Lanes& a) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = -a.parts[p]; });
  }
  TAMIS_INLINE Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  TAMIS_INLINE friend Lanes operator&(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] & b; });
  }
  TAMIS_INLINE friend Lanes operator|(const Lanes& a, T b) {
    return made([&](Index p, Vector& part) TAMIS_KERNEL { part = a.parts[p] | b; });
  }

  /// a where it is smaller (larger), else b.
  TAMIS_INLINE friend Lanes smaller(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part)
                    TAMIS_KERNEL { part = a.parts[p] < b.parts[p] ? a.parts[p] : b.parts[p]; });
  }
  TAMIS_INLINE friend Lanes larger(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part)
                    TAMIS_KERNEL { part = a.parts[p] > b.parts[p] ? a.parts[p] : b.parts[p]; });
  }

  /// 1 where a is less than b, else 0.
  TAMIS_INLINE friend Lanes ones_where_less(const Lanes& a, const Lanes& b) {
    return made([&](Index p, Vector& part)
                    TAMIS_KERNEL { part = a.parts[p] < b.parts[p] ? T{1} - Vector{} : Vector{}; });
  }

  /// The lanes added one after the other.
  TAMIS_INLINE T sum() const {
    T result = 0;
#pragma GCC unroll 16
    for (Index l = 0; l < n; ++l) result += (*this)[l];
    return result;
  }

 private:
  template <class Make>
  TAMIS_INLINE static Lanes made(const Make& make) {
    Lanes result;
#pragma GCC unroll 16
    for (Index p = 0; p < kParts; ++p) make(p, result.parts[p]);
    return result;
  }
};

/// Lanes that fill one register.
template <class T, class Cpu>
inline constexpr Index kRegisterLanes = Cpu::kVectorBytes / static_cast<Index>(sizeof(T));

namespace detail {

/// Some lanes of a vector, from the given one on.
template <Index from, class Vector, class Part, int... l>
TAMIS_INLINE void take(const Vector& vector, Part& out, std::integer_sequence<int, l...>) {
  out = __builtin_shufflevector(vector, vector, (from + l)...);
}

}  // namespace detail

/// The same lanes as doubles. A register of floats becomes two at once: half a register, converted
/// by itself, would be taken to quarters and put together again.
template <Index n, class Cpu>
TAMIS_INLINE Lanes<double, n, Cpu> widened(const Lanes<float, n, Cpu>& lanes) {
  using Narrow = Lanes<float, n, Cpu>;
  using Wide = Lanes<double, n, Cpu>;
  using Whole __attribute__((vector_size(2 * Narrow::kPartBytes))) = double;
  constexpr auto kTaken = std::make_integer_sequence<int, Wide::kLanesOfPart>{};
  Wide wide;
#pragma GCC unroll 16
  for (Index p = 0; p < Narrow::kParts; ++p) {
    const Whole whole = __builtin_convertvector(lanes.parts[p], Whole);
    if constexpr (Wide::kParts == Narrow::kParts) {
      wide.parts[p] = whole;
    } else {
      detail::take<0>(whole, wide.parts[2 * p], kTaken);
      detail::take<Wide::kLanesOfPart>(whole, wide.parts[2 * p + 1], kTaken);
    }
  }
  return wide;
}
template <Index n, class Cpu>
TAMIS_INLINE Lanes<double, n, Cpu> widened(const Lanes<double, n, Cpu>& lanes) {
  return lanes;
}

namespace detail {

/// The lanes of one vector after those of another.
template <class Part, class Vector, int... l>
TAMIS_INLINE void join(const Part& first, const Part& second, Vector& out,
                       std::integer_sequence<int, l...>) {
  out = __builtin_shufflevector(first, second, l...);
}

}  // namespace detail

/// The same lanes as floats, by whole registers: what is put together of halves in memory is not
/// there for a while when it is read.
template <Index n, class Cpu>
TAMIS_INLINE Lanes<float, n, Cpu> narrowed(const Lanes<double, n, Cpu>& lanes) {
  using Narrow = Lanes<float, n, Cpu>;
  using Wide = Lanes<double, n, Cpu>;
  using Half __attribute__((vector_size(Wide::kPartBytes / 2))) = float;
  constexpr auto kAll = std::make_integer_sequence<int, Narrow::kLanesOfPart>{};
  Narrow narrow;
#pragma GCC unroll 16
  for (Index p = 0; p < Narrow::kParts; ++p) {
    if constexpr (Wide::kParts == Narrow::kParts)
      narrow.parts[p] = __builtin_convertvector(lanes.parts[p], Half);
    else
      detail::join(__builtin_convertvector(lanes.parts[2 * p], Half),
                   __builtin_convertvector(lanes.parts[2 * p + 1], Half), narrow.parts[p], kAll);
  }
  return narrow;
}
template <Index n, class Cpu>
TAMIS_INLINE Lanes<float, n, Cpu> narrowed(const Lanes<float, n, Cpu>& lanes) {
  return lanes;
}

/// sums[l] += lanes[l], in double.
template <class T, Index n, class Cpu>
TAMIS_INLINE void add_to(double* sums, const Lanes<T, n, Cpu>& lanes) {
  (Lanes<double, n, Cpu>::load(sums) + widened(lanes)).store(sums);
}

}  // namespace tamis
