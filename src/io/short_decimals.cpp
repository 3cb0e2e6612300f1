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

constexpr Index kWordBytes = 8;  // characters

/// The word that begins so many characters behind the start of each field.
TAMIS_AVX2 __m256i load_words(const char* record, const Index* ends, Index behind) {
  const auto word = [&](Index field) {
    long long characters = 0;
    std::memcpy(&characters, record + ends[field - 1] + 1 + behind, sizeof characters);
    return characters;
  };
  return _mm256_set_epi64x(word(3), word(2), word(1), word(0));
}

TAMIS_AVX2 __m256i first_bytes(__m256i words) {
  return _mm256_and_si256(words, _mm256_set1_epi64x(0xFF));
}

/// 0 where a byte is a digit, which is its value 0 .. 9.
TAMIS_AVX2 __m256i other_bytes(__m256i bytes) {
  return _mm256_subs_epu8(bytes, _mm256_set1_epi8(9));
}

/// Some fields as read from memory: bytes are 0 .. 9 where digits are.
struct Fields {
  __m256i is_negative;
  __m256i bytes;  // from the first digit on
  __m256i size;   // in characters, without a minus
};

TAMIS_AVX2 __m256i load_bytes(const char* record, const Index* ends, Index behind,
                              __m256i is_negative) {
  const __m256i words = _mm256_blendv_epi8(load_words(record, ends, behind),
                                           load_words(record, ends, behind + 1), is_negative);
  return _mm256_xor_si256(words, _mm256_set1_epi8('0'));
}

TAMIS_AVX2 Fields load_fields(const char* record, const Index* ends) {
  const __m256i first = first_bytes(load_words(record, ends, 0));
  const __m256i is_negative = _mm256_cmpeq_epi64(first, _mm256_set1_epi64x('-'));
  const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends - 1));
  const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends));
  const __m256i with_delimiter = _mm256_add_epi64(_mm256_sub_epi64(here, before), is_negative);
  return {.is_negative = is_negative,
          .bytes = load_bytes(record, ends, 0, is_negative),
          .size = _mm256_sub_epi64(with_delimiter, _mm256_set1_epi64x(1))};
}

/// Which bytes of a word are before its first point: all, if there is none.
TAMIS_AVX2 __m256i before_point(__m256i bytes) {
  const __m256i points = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.' ^ '0'));
  return _mm256_andnot_si256(points, _mm256_add_epi64(points, _mm256_set1_epi64x(-1)));
}

/// Words moved by one byte towards the first one, which is lost; one comes from the next words.
TAMIS_AVX2 __m256i moved(__m256i words) { return _mm256_srli_epi64(words, 8); }
TAMIS_AVX2 __m256i moved(__m256i words, __m256i next) {
  return _mm256_or_si256(moved(words), _mm256_slli_epi64(next, 56));
}

/// Digits, the first one lowest, and those of a power of ten.
struct Digits {
  __m256i number;
  __m256i power;
};

/// Takes the point out of words: what is behind it takes its place. At the end a zero follows, so
/// that the number is ten times as large. The power is as much larger than the value as the number:
/// its digit 1 is the last one before the point.
TAMIS_AVX2 Digits without_point(__m256i bytes, __m256i moved_bytes, __m256i before,
                                __m256i moved_before) {
  return {.number = _mm256_blendv_epi8(moved_bytes, bytes, before),
          .power = _mm256_and_si256(_mm256_xor_si256(before, moved_before), _mm256_set1_epi8(1))};
}

/// Numbers below 10^8, as two numbers of four digits.
TAMIS_AVX2 __m256i join_to_fours(__m256i digits) {
  const __m256i twos = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 | 1 << 8));
  return _mm256_madd_epi16(twos, _mm256_set1_epi32(100 | 1 << 16));
}

struct Ratio {
  __m256d number;
  __m256d power;
};

TAMIS_AVX2 Ratio join(const Digits& digits) {
  const __m256i fours =
      _mm256_packus_epi32(join_to_fours(digits.number), join_to_fours(digits.power));
  const __m256i eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(10000 | 1 << 16));
  // Packing left two numbers and two powers in each half.
  const __m256i in_order = _mm256_permute4x64_epi64(eights, 0b11'01'10'00);
  return {.number = _mm256_cvtepi32_pd(_mm256_castsi256_si128(in_order)),
          .power = _mm256_cvtepi32_pd(_mm256_extracti128_si256(in_order, 1))};
}

/// A double holds number and power exactly, and so one division rounds correctly.
TAMIS_AVX2 __m256d quotient(const Ratio& ratio, __m256i is_negative) {
  const __m256d signs = _mm256_castsi256_pd(_mm256_slli_epi64(is_negative, 63));
  return _mm256_div_pd(ratio.number, _mm256_xor_pd(ratio.power, signs));
}

TAMIS_AVX2 void store(__m256d values, double* out) { _mm256_storeu_pd(out, values); }
/// Rounded twice, and yet correctly: a number of eight digits that is not the middle of two floats
/// is further from it than half a unit of a double.
TAMIS_AVX2 void store(__m256d values, float* out) { _mm_storeu_ps(out, _mm256_cvtpd_ps(values)); }

TAMIS_AVX2 bool are_zero(__m256i bytes) { return _mm256_testz_si256(bytes, bytes) != 0; }

/// What makes fields something else than numbers that fit: they are longer, or begin otherwise.
TAMIS_AVX2 __m256i other_forms(const Fields& fields, Index longest) {
  return _mm256_or_si256(_mm256_cmpgt_epi64(fields.size, _mm256_set1_epi64x(longest)),
                         first_bytes(other_bytes(fields.bytes)));
}

/// So many bits are empty if characters are to end at the end of so many words.
TAMIS_AVX2 __m256i empty_bits(__m256i size, Index words) {
  return _mm256_slli_epi64(_mm256_sub_epi64(_mm256_set1_epi64x(words * kWordBytes), size), 3);
}

/// Reads fields of at most eight characters beside a minus; false if one is something else.
template <std::floating_point T>
TAMIS_AVX2 bool read_words(const char* record, const Index* ends, T* out) {
  const Fields fields = load_fields(record, ends);
  const __m256i bytes =
      _mm256_sllv_epi64(fields.bytes, empty_bits(fields.size, 1));  // as if zeros stood in front
  const __m256i before = before_point(bytes);
  const Digits digits = without_point(bytes, moved(bytes), before, moved(before));
  if (!are_zero(_mm256_or_si256(other_forms(fields, kWordBytes), other_bytes(digits.number))))
    return false;
  store(quotient(join(digits), fields.is_negative), out);
  return true;
}

/// The same of at most sixteen characters, as long as doubles hold their digits exactly. Not
/// inline: the loop around both keeps what the other one needs in registers.
__attribute__((target("avx2"), noinline)) bool read_pairs_of_words(const char* record,
                                                                   const Index* ends, double* out) {
  const Fields fields = load_fields(record, ends);
  const __m256i further = load_bytes(record, ends, kWordBytes, fields.is_negative);
  // Shifts by more than a word leave nothing of it, and so do those by less than 0.
  const __m256i bits = empty_bits(fields.size, 2);
  const __m256i word = _mm256_set1_epi64x(64);
  const __m256i first = _mm256_sllv_epi64(fields.bytes, bits);
  const __m256i last = _mm256_or_si256(
      _mm256_or_si256(_mm256_sllv_epi64(further, bits),
                      _mm256_srlv_epi64(fields.bytes, _mm256_sub_epi64(word, bits))),
      _mm256_sllv_epi64(fields.bytes, _mm256_sub_epi64(bits, word)));
  const __m256i before_first = before_point(first);
  const __m256i is_later = _mm256_cmpeq_epi64(before_first, _mm256_set1_epi64x(-1));
  const __m256i before_last = _mm256_and_si256(before_point(last), is_later);
  const Digits first_digits =
      without_point(first, moved(first, last), before_first, moved(before_first, before_last));
  const Digits last_digits = without_point(last, moved(last), before_last, moved(before_last));
  const __m256i others =
      _mm256_or_si256(other_bytes(first_digits.number), other_bytes(last_digits.number));
  if (!are_zero(_mm256_or_si256(other_forms(fields, 2 * kWordBytes), others))) return false;
  const Ratio high = join(first_digits);
  const Ratio low = join(last_digits);
  const __m256d shift = _mm256_set1_pd(1e8);
  const Ratio ratio = {.number = _mm256_add_pd(_mm256_mul_pd(high.number, shift), low.number),
                       .power = _mm256_add_pd(_mm256_mul_pd(high.power, shift), low.power)};
  const __m256d exact = _mm256_cmp_pd(ratio.number, _mm256_set1_pd(0x1p53), _CMP_LT_OQ);
  if (_mm256_movemask_pd(exact) != 0b1111) return false;
  store(quotient(ratio, fields.is_negative), out);
  return true;
}

/// Whether so many characters, and delimiters, are enough for each of kDecimalsAtOnce fields.
bool fit_into(const Index* ends, Index characters) {
  return ends[kDecimalsAtOnce - 1] - ends[-1] <= kDecimalsAtOnce * (characters + 1);
}

/// Loops are not inline, so that each keeps its constants in registers.
#define TAMIS_AVX2_LOOP __attribute__((target("avx2"), noinline))

template <std::floating_point T>
TAMIS_AVX2_LOOP Index read_short(const char* record, const Index* ends, Index fields, T* out) {
  Index read = 0;
  while (read + kDecimalsAtOnce <= fields && fit_into(ends + read, kWordBytes + 1) &&
         read_words(record, ends + read, out + read))
    read += kDecimalsAtOnce;
  return read;
}

/// Goes on until fields are likely to be short again.
TAMIS_AVX2_LOOP Index read_longer(const char* record, const Index* ends, Index fields,
                                  double* out) {
  Index read = 0;
  while (read + kDecimalsAtOnce <= fields && (read == 0 || !fit_into(ends + read, kWordBytes)) &&
         fit_into(ends + read, 2 * kWordBytes + 1) &&
         read_pairs_of_words(record, ends + read, out + read))
    read += kDecimalsAtOnce;
  return read;
}

Index read_by_avx2(const char* record, const Index* ends, Index fields, double* out) {
  Index read = 0;
  for (Index before = -1; read > before;) {
    before = read;
    read += read_short(record, ends + read, fields - read, out + read);
    read += read_longer(record, ends + read, fields - read, out + read);
  }
  return read;
}
/// Longer numbers must not be rounded twice.
Index read_by_avx2(const char* record, const Index* ends, Index fields, float* out) {
  return read_short(record, ends, fields, out);
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
