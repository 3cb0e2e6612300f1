#pragma once

#include <bit>
#include <cstdint>

#include "core/cpu.hpp"

namespace tamis {

/// Marks of that many numbers are a word of bits, the first of them lowest.
inline constexpr Index kMarksOfWord = 64;

/// The words that the marks of n numbers take.
constexpr Index words_of_marks(Index n) { return (n + kMarksOfWord - 1) / kMarksOfWord; }

/// Marks which of n numbers are at most the bound.
void mark_at_most(const float* numbers, Index n, float bound, std::uint64_t* words);

/// Calls visit(l) for each marked number l, ascending.
template <class Visit>
TAMIS_INLINE void for_each_mark(const std::uint64_t* words, Index n, const Visit& visit) {
  for (Index w = 0; w < words_of_marks(n); ++w)
    for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      visit(w * kMarksOfWord + std::countr_zero(bits));
}

}  // namespace tamis
