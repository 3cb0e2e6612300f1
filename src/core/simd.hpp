#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/cpu.hpp"

namespace tamis {

/// Numbers in a vector of 64 bytes, a cache line: what kernels work on at once.
template <class T>
inline constexpr Index kLanes = 64 / static_cast<Index>(sizeof(T));

/// Numbers in a vector of 32 bytes: for kernels that keep many of them, which CPUs without wider
/// registers would move through memory.
template <class T>
inline constexpr Index kShortLanes = 32 / static_cast<Index>(sizeof(T));

/// Sums of many terms are taken in so many interleaved partial sums.
inline constexpr Index kSumLanes = 32;

/// Adds term(r) to lane r mod kSumLanes and joins the lanes in a fixed tree: the same order, so the
/// same sum, on every machine.
template <class Term>
TAMIS_INLINE double sum_in_lanes(Index n, const Term& term) {
  double lanes[kSumLanes] = {};
  Index r = 0;
  for (; r + kSumLanes <= n; r += kSumLanes)
    for (Index l = 0; l < kSumLanes; ++l) lanes[l] += term(r + l);
  for (Index l = 0; r + l < n; ++l) lanes[l] += term(r + l);
  for (Index half = kSumLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

/// How many marks beyond the last for_each_marked() may read.
inline constexpr Index kMarksBeyond = 32;

/// The 8 marks (0 or 1) of a word as bits, the first of them lowest.
TAMIS_INLINE std::uint32_t bits_of_marks(std::uint64_t word) {
  return static_cast<std::uint32_t>((word * 0x0102040810204080) >> 56);
}

/// Calls visit(l) for each l < n whose mark is 1 (others are 0): filling marks is a loop that
/// vectorises, and this one visits only the few that are set, 32 at a time, so that it seldom turns
/// where nobody expects it. Room for kMarksBeyond marks after n is
/// needed.
template <class Visit>
TAMIS_INLINE void for_each_marked(unsigned char* marks, Index n, const Visit& visit) {
  static_assert(std::endian::native == std::endian::little, "the lowest bits are the first mark");
  std::memset(marks + n, 0, kMarksBeyond);
  for (Index from = 0; from < n; from += kMarksBeyond) {
    std::uint64_t words[4];
    static_assert(sizeof words == kMarksBeyond);
    std::memcpy(words, marks + from, sizeof words);
    if ((words[0] | words[1] | words[2] | words[3]) == 0) continue;
    std::uint32_t bits = bits_of_marks(words[0]) | bits_of_marks(words[1]) << 8 |
                         bits_of_marks(words[2]) << 16 | bits_of_marks(words[3]) << 24;
    for (; bits != 0; bits &= bits - 1) visit(from + std::countr_zero(bits));
  }
}

}  // namespace tamis
