#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tamis {
namespace detail {

/// byte_marks() by words of eight bytes, for every machine.
inline std::uint64_t byte_marks_by_words(const char* bytes, char wanted) {
  static_assert(std::endian::native == std::endian::little, "the lowest bits are the first byte");
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  constexpr std::uint64_t kLow = kEach * 0x7F;
  std::uint64_t marks = 0;
  for (unsigned w = 0; w < 8; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + std::size_t{8} * w, sizeof word);
    word ^= kEach * static_cast<unsigned char>(wanted);
    const std::uint64_t zeros = ~(((word & kLow) + kLow) | word | kLow);  // 0x80 where a byte is 0
    marks |= ((zeros >> 7) * 0x0102040810204080u >> 56) << (8 * w);
  }
  return marks;
}

}  // namespace detail

/// Which of the next 64 bytes are `wanted`: bit k is that of byte k.
inline std::uint64_t byte_marks(const char* bytes, char wanted) {
#if defined(__SSE2__)
  const __m128i all = _mm_set1_epi8(wanted);
  std::uint64_t marks = 0;
  for (unsigned part = 0; part < 4; ++part) {
    __m128i some;
    std::memcpy(&some, bytes + std::size_t{16} * part, sizeof some);
    const auto equal = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, all)));
    marks |= std::uint64_t{equal} << (16 * part);
  }
  return marks;
#else
  return detail::byte_marks_by_words(bytes, wanted);
#endif
}

}  // namespace tamis
