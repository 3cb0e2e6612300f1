#include "io/short_decimals.hpp"

#include <cstring>

#include "core/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {

#if defined(__x86_64__)

namespace {

#define TAMIS_AVX2 __attribute__((target("avx2"), always_inline)) inline

constexpr Index kMostCharacters = 8;  // beside a minus

/// The eight characters that begin so many behind the start of each field.
TAMIS_AVX2 __m256i load_words(const char* record, const Index* ends, Index behind) {
  const auto word = [&](Index field) {
    long long characters = 0;
    std::memcpy(&characters, record + ends[field - 1] + 1 + behind, sizeof characters);
    return characters;
  };
  return _mm256_set_epi64x(word(3), word(2), word(1), word(0));
}

/// The eight digits of each word, which are 0 .. 9, the first one lowest, as two numbers of four.
TAMIS_AVX2 __m256i join_to_fours(__m256i digits) {
  const __m256i twos = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 | 1 << 8));
  return _mm256_madd_epi16(twos, _mm256_set1_epi32(100 | 1 << 16));
}

/// numerators / denominators, both of eight digits: a double holds both exactly, and so one
/// division rounds correctly.
TAMIS_AVX2 __m256d quotients(__m256i numerators, __m256i denominators, __m256i is_negative) {
  const __m256i fours = _mm256_packus_epi32(join_to_fours(numerators), join_to_fours(denominators));
  const __m256i eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(10000 | 1 << 16));
  // Packing left two numerators and two denominators in each half.
  const __m256i in_order = _mm256_permute4x64_epi64(eights, 0b11'01'10'00);
  const __m256d above = _mm256_cvtepi32_pd(_mm256_castsi256_si128(in_order));
  const __m256d below = _mm256_cvtepi32_pd(_mm256_extracti128_si256(in_order, 1));
  const __m256d signs = _mm256_castsi256_pd(_mm256_slli_epi64(is_negative, 63));
  return _mm256_div_pd(above, _mm256_xor_pd(below, signs));
}

TAMIS_AVX2 void store(__m256d values, double* out) { _mm256_storeu_pd(out, values); }
/// Rounded twice, and yet correctly: a number of eight digits that is not the middle of two floats
/// is further from it than half a unit of a double.
TAMIS_AVX2 void store(__m256d values, float* out) { _mm_storeu_ps(out, _mm256_cvtpd_ps(values)); }

/// Reads kDecimalsAtOnce fields; false if one of them is something else.
template <std::floating_point T>
TAMIS_AVX2 bool read_some(const char* record, const Index* ends, T* out) {
  const __m256i first_byte = _mm256_set1_epi64x(0xFF);
  const __m256i nine = _mm256_set1_epi8(9);
  const __m256i words = load_words(record, ends, 0);
  const __m256i is_negative =
      _mm256_cmpeq_epi64(_mm256_and_si256(words, first_byte), _mm256_set1_epi64x('-'));
  const __m256i unsigned_words =
      _mm256_blendv_epi8(words, load_words(record, ends, 1), is_negative);
  const __m256i bytes = _mm256_xor_si256(unsigned_words, _mm256_set1_epi8('0'));  // digits: 0 .. 9

  const __m256i ends_before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends - 1));
  const __m256i ends_here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends));
  const __m256i room =
      _mm256_sub_epi64(_mm256_set1_epi64x(kMostCharacters + 1),  // and a delimiter
                       _mm256_add_epi64(_mm256_sub_epi64(ends_here, ends_before), is_negative));
  const __m256i is_long = _mm256_cmpgt_epi64(_mm256_setzero_si256(), room);
  const __m256i aligned =
      _mm256_sllv_epi64(bytes, _mm256_slli_epi64(room, 3));  // as if zeros stood in front

  // What is behind the point takes its place, and a zero follows: that is ten times as much.
  const __m256i points = _mm256_cmpeq_epi8(aligned, _mm256_set1_epi8('.' ^ '0'));
  const __m256i before_point =
      _mm256_andnot_si256(points, _mm256_add_epi64(points, _mm256_set1_epi64x(-1)));
  const __m256i digits = _mm256_blendv_epi8(_mm256_srli_epi64(aligned, 8), aligned, before_point);
  // A digit 1, from which as many zeros follow; the last, if there is no point.
  const __m256i power = _mm256_and_si256(
      _mm256_xor_si256(before_point, _mm256_srli_epi64(before_point, 8)), _mm256_set1_epi8(1));

  const __m256i begins_otherwise = _mm256_and_si256(_mm256_subs_epu8(bytes, nine), first_byte);
  const __m256i others =
      _mm256_or_si256(_mm256_or_si256(is_long, begins_otherwise), _mm256_subs_epu8(digits, nine));
  if (_mm256_testz_si256(others, others) == 0) return false;
  store(quotients(digits, power, is_negative), out);
  return true;
}

/// Whether none needs to be longer than read_some() takes: it seldom fails then.
bool may_be_short(const Index* ends) {
  return ends[kDecimalsAtOnce - 1] - ends[-1] <= kDecimalsAtOnce * (kMostCharacters + 2);
}

template <std::floating_point T>
__attribute__((target("avx2"))) Index read_by_avx2(const char* record, const Index* ends,
                                                   Index fields, T* out) {
  Index read = 0;
  while (read + kDecimalsAtOnce <= fields && may_be_short(ends + read) &&
         read_some(record, ends + read, out + read))
    read += kDecimalsAtOnce;
  return read;
}

}  // namespace

template <std::floating_point T>
Index read_short_decimals(const char* record, const Index* ends, Index fields, T* out) {
  return current_target() == Target::baseline ? 0 : read_by_avx2(record, ends, fields, out);
}

#else

template <std::floating_point T>
Index read_short_decimals(const char*, const Index*, Index, T*) {
  return 0;
}

#endif

template Index read_short_decimals(const char*, const Index*, Index, float*);
template Index read_short_decimals(const char*, const Index*, Index, double*);

}  // namespace tamis
