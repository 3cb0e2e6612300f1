#pragma once

#include <cstring>
#include <utility>

#include "core/cpu.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

namespace detail {

/// Swaps the lanes of a that have bit kStep with those of b that have not.
template <int kStep, class Vector, int... l>
TAMIS_INLINE void exchange(Vector& a, Vector& b, std::integer_sequence<int, l...>) {
  constexpr int n = sizeof...(l);
  const Vector low = __builtin_shufflevector(a, b, ((l & kStep) != 0 ? n + l - kStep : l)...);
  const Vector high = __builtin_shufflevector(a, b, ((l & kStep) != 0 ? n + l : l + kStep)...);
  a = low;
  b = high;
}

template <int kStep, class Vector, int n>
TAMIS_INLINE void transpose_by_steps(Vector (&square)[n]) {
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i)
    if ((i & kStep) == 0)
      exchange<kStep>(square[i], square[i + kStep], std::make_integer_sequence<int, n>{});
  if constexpr (kStep > 1) transpose_by_steps<kStep / 2>(square);
}

}  // namespace detail

/// Transposes n vectors of n lanes, a power of two, by exchanging halves, quarters, and so on.
template <class Vector, int n>
TAMIS_INLINE void transpose_square(Vector (&square)[n]) {
  detail::transpose_by_steps<n / 2>(square);
}

/// Reads n columns of n rows, which lie `stride` values apart: square[r] is the r-th column.
template <class T, class Vector, int n>
TAMIS_INLINE void load_transposed(const T* rows, Index stride, Vector (&square)[n]) {
  static_assert(sizeof(Vector) == n * sizeof(T));
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) std::memcpy(&square[i], rows + i * stride, sizeof(Vector));
  transpose_square(square);
}

}  // namespace tamis
