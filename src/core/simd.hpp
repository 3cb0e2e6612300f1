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

/// Calls visit(l) for each l < n whose mark is 1 (others are 0): filling marks is a loop that
/// vectorises, and this one visits only the few that are set. Room for 8 marks beyond n is needed.
template <class Visit>
TAMIS_INLINE void for_each_marked(unsigned char* marks, Index n, const Visit& visit) {
  static_assert(std::endian::native == std::endian::little, "the lowest bits are the first mark");
  constexpr Index kWord = 8;
  constexpr Index kWords = 4;
  std::memset(marks + n, 0, kWord);
  const auto visit_word = [&](Index from, std::uint64_t word) {
    for (; word != 0; word &= word - 1) visit(from + std::countr_zero(word) / 8);
  };
  Index from = 0;
  for (; from + kWords * kWord <= n; from += kWords * kWord) {
    std::uint64_t words[kWords];
    std::memcpy(words, marks + from, sizeof words);
    if ((words[0] | words[1] | words[2] | words[3]) == 0) continue;
    for (Index w = 0; w < kWords; ++w) visit_word(from + w * kWord, words[w]);
  }
  for (; from < n; from += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, marks + from, sizeof word);
    visit_word(from, word);
  }
}

}  // namespace tamis
