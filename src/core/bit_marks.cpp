#include "core/bit_marks.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {
namespace {

/// Marks all numbers of so many whole words. CPUs make bits of comparisons by instructions that no
/// loop is compiled to.
using MarkWords = void (*)(const float* numbers, Index n_words, float bound, std::uint64_t* words);

std::uint64_t plain_word(const float* numbers, Index n, float bound) {
  std::uint64_t word = 0;
  for (Index l = 0; l < n; ++l) word |= std::uint64_t{numbers[l] <= bound} << l;
  return word;
}

#if defined(__x86_64__)

__attribute__((target("avx512f"))) void mark_by_avx512(const float* numbers, Index n_words,
                                                       float bound, std::uint64_t* words) {
  const __m512 bounds = _mm512_set1_ps(bound);
  for (Index w = 0; w < n_words; ++w, numbers += kMarksOfWord) {
    words[w] = 0;
#pragma GCC unroll 4
    for (Index l = 0; l < kMarksOfWord; l += 16)
      words[w] |=
          std::uint64_t{_mm512_cmp_ps_mask(_mm512_loadu_ps(numbers + l), bounds, _CMP_LE_OQ)} << l;
  }
}

__attribute__((target("avx2"))) void mark_by_avx2(const float* numbers, Index n_words, float bound,
                                                  std::uint64_t* words) {
  const __m256 bounds = _mm256_set1_ps(bound);
  for (Index w = 0; w < n_words; ++w, numbers += kMarksOfWord) {
    words[w] = 0;
#pragma GCC unroll 8
    for (Index l = 0; l < kMarksOfWord; l += 8) {
      const __m256 within = _mm256_cmp_ps(_mm256_loadu_ps(numbers + l), bounds, _CMP_LE_OQ);
      words[w] |= static_cast<std::uint64_t>(_mm256_movemask_ps(within)) << l;
    }
  }
}

void mark_on_baseline(const float* numbers, Index n_words, float bound, std::uint64_t* words) {
  const __m128 bounds = _mm_set1_ps(bound);
  for (Index w = 0; w < n_words; ++w, numbers += kMarksOfWord) {
    words[w] = 0;
    for (Index l = 0; l < kMarksOfWord; l += 4) {
      const __m128 within = _mm_cmple_ps(_mm_loadu_ps(numbers + l), bounds);
      words[w] |= static_cast<std::uint64_t>(_mm_movemask_ps(within)) << l;
    }
  }
}

MarkWords mark_words() {
  switch (current_target()) {
    case Target::avx512:
      return mark_by_avx512;
    case Target::avx2:
      return mark_by_avx2;
    default:
      return mark_on_baseline;
  }
}

#else

void mark_on_baseline(const float* numbers, Index n_words, float bound, std::uint64_t* words) {
  for (Index w = 0; w < n_words; ++w)
    words[w] = plain_word(numbers + w * kMarksOfWord, kMarksOfWord, bound);
}

MarkWords mark_words() { return mark_on_baseline; }

#endif

}  // namespace

void mark_at_most(const float* numbers, Index n, float bound, std::uint64_t* words) {
  const Index whole = n / kMarksOfWord;
  mark_words()(numbers, whole, bound, words);
  const Index marked = whole * kMarksOfWord;
  if (marked < n) words[whole] = plain_word(numbers + marked, n - marked, bound);
}

}  // namespace tamis
