#include "linalg/integer_tiles.hpp"

#include <algorithm>

#include "core/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {
namespace {

/// What kernels do: out = a b', or that added to it, of the first rows of a.
using Multiply = void (*)(const std::int32_t* a, Index rows, const std::int32_t* b, Index pairs,
                          bool adds, std::int32_t* out);

/// On any CPU: a loop that the compiler vectorises as it can.
void multiply_plainly(const std::int32_t* a, Index rows, const std::int32_t* b, Index pairs,
                      bool adds, std::int32_t* out) {
  if (!adds) std::fill_n(out, rows * kIntegerTile, 0);
  const auto first = [](std::int32_t pair) { return static_cast<std::int16_t>(pair & 0xffff); };
  const auto second = [](std::int32_t pair) { return static_cast<std::int16_t>(pair >> 16); };
  for (Index p = 0; p < pairs; ++p)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < kIntegerTile; ++j) {
        const std::int32_t left = a[p * kIntegerTile + i];
        const std::int32_t right = b[p * kIntegerTile + j];
        out[i * kIntegerTile + j] += first(left) * first(right) + second(left) * second(right);
      }
}

#if defined(__x86_64__)

/// GCC keeps sums in registers if their type says what is summed; those of __m256i and __m512i it
/// writes to memory after each step.
using Sums8 __attribute__((vector_size(32))) = std::int32_t;
using Sums16 __attribute__((vector_size(64))) = std::int32_t;

bool has_vnni() {
  return current_target() == Target::avx512 && __builtin_cpu_supports("avx512vnni") != 0;
}

__attribute__((target("avx2"))) void multiply_by_avx2(const std::int32_t* a, Index rows,
                                                      const std::int32_t* b, Index pairs, bool adds,
                                                      std::int32_t* out) {
  constexpr Index kRows = 4;
  constexpr Index kColumns = 16;
  static_assert(kIntegerTile % kRows == 0 && kIntegerTile % kColumns == 0);
  for (Index column = 0; column < kIntegerTile; column += kColumns)
    for (Index row = 0; row < rows; row += kRows) {
      Sums8 low[kRows] = {};
      Sums8 high[kRows] = {};
      for (Index p = 0; p < pairs; ++p) {
        const auto* const at = reinterpret_cast<const __m256i*>(b + p * kIntegerTile + column);
        const __m256i first = _mm256_loadu_si256(at);
        const __m256i second = _mm256_loadu_si256(at + 1);
#pragma GCC unroll 4
        for (Index i = 0; i < kRows; ++i) {
          const __m256i factor = _mm256_set1_epi32(a[p * kIntegerTile + row + i]);
          low[i] += reinterpret_cast<Sums8>(_mm256_madd_epi16(factor, first));
          high[i] += reinterpret_cast<Sums8>(_mm256_madd_epi16(factor, second));
        }
      }
#pragma GCC unroll 4
      for (Index i = 0; i < kRows; ++i) {
        auto* const to = reinterpret_cast<__m256i*>(out + (row + i) * kIntegerTile + column);
        if (adds) {
          low[i] += reinterpret_cast<Sums8>(_mm256_loadu_si256(to));
          high[i] += reinterpret_cast<Sums8>(_mm256_loadu_si256(to + 1));
        }
        _mm256_storeu_si256(to, reinterpret_cast<__m256i>(low[i]));
        _mm256_storeu_si256(to + 1, reinterpret_cast<__m256i>(high[i]));
      }
    }
}

__attribute__((target("avx512f,avx512vnni"))) void multiply_by_vnni(const std::int32_t* a,
                                                                    Index rows,
                                                                    const std::int32_t* b,
                                                                    Index pairs, bool adds,
                                                                    std::int32_t* out) {
  constexpr Index kRows = 8;
  constexpr Index kLanes = 16;
  constexpr Index kVectors = kIntegerTile / kLanes;
  static_assert(kIntegerTile % kRows == 0 && kVectors == 3);
  for (Index row = 0; row < rows; row += kRows) {
    Sums16 sums[kRows][kVectors] = {};
    for (Index p = 0; p < pairs; ++p) {
      const std::int32_t* const at = b + p * kIntegerTile;
      const __m512i columns[kVectors] = {_mm512_loadu_si512(at), _mm512_loadu_si512(at + kLanes),
                                         _mm512_loadu_si512(at + 2 * kLanes)};
#pragma GCC unroll 8
      for (Index i = 0; i < kRows; ++i) {
        const __m512i factor = _mm512_set1_epi32(a[p * kIntegerTile + row + i]);
#pragma GCC unroll 3
        for (Index v = 0; v < kVectors; ++v)
          sums[i][v] = reinterpret_cast<Sums16>(
              _mm512_dpwssd_epi32(reinterpret_cast<__m512i>(sums[i][v]), factor, columns[v]));
      }
    }
#pragma GCC unroll 8
    for (Index i = 0; i < kRows; ++i)
#pragma GCC unroll 3
      for (Index v = 0; v < kVectors; ++v) {
        std::int32_t* const to = out + (row + i) * kIntegerTile + v * kLanes;
        if (adds) sums[i][v] += reinterpret_cast<Sums16>(_mm512_loadu_si512(to));
        _mm512_storeu_si512(to, reinterpret_cast<__m512i>(sums[i][v]));
      }
  }
}

#endif

/// The fastest that the target in use has.
Multiply multiply_by_best() {
#if defined(__x86_64__)
  if (has_vnni()) return multiply_by_vnni;
  if (current_target() != Target::baseline) return multiply_by_avx2;
#endif
  return multiply_plainly;
}

}  // namespace

bool has_integer_tiles() {
#if defined(__x86_64__)
  return current_target() != Target::baseline;
#else
  return false;
#endif
}

bool integers_outrun_floats() {
#if defined(__x86_64__)
  return current_target() == Target::avx2 || has_vnni();
#else
  return false;
#endif
}

void multiply_integer_tiles(const std::int32_t* a, Index rows, const std::int32_t* b, Index pairs,
                            std::int32_t* out) {
  // So many pairs of both tiles stay in the first cache.
  constexpr Index kPairs = 128;
  const Multiply multiply = multiply_by_best();
  Index p = 0;
  do {
    multiply(a + p * kIntegerTile, rows, b + p * kIntegerTile, std::min(kPairs, pairs - p), p > 0,
             out);
    p += kPairs;
  } while (p < pairs);
}

}  // namespace tamis
