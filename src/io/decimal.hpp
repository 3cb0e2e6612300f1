#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tamis {
namespace detail {

__extension__ using Wide = unsigned __int128;

inline constexpr int kMostDigits = 19;  // any such number fits into 64 bits

/// 1 / 10^k = (value + less than 1) / 2^shift, with value in [2^63, 2^64).
struct Reciprocal {
  std::uint64_t value = 0;
  int shift = 0;
};
inline constexpr auto kReciprocals = [] {
  std::array<Reciprocal, kMostDigits + 1> table{};
  Wide power = 1;
  for (Reciprocal& entry : table) {
    // Division bit by bit of 2^shift by the power, until the quotient has 64 bits.
    Wide remainder = 1;
    entry.value = remainder >= power ? 1 : 0;
    remainder -= entry.value * power;
    while (entry.value >> 63 == 0) {
      remainder *= 2;
      const bool bit = remainder >= power;
      if (bit) remainder -= power;
      entry.value = 2 * entry.value + bit;
      ++entry.shift;
    }
    power *= 10;
  }
  return table;
}();

inline constexpr std::array<std::uint64_t, 8> kPowersOfTen = {1,     10,     100,     1000,
                                                              10000, 100000, 1000000, 10000000};

/// The number that eight digits make; `bytes` holds their values 0 .. 9, the first one lowest.
inline std::uint64_t join_digits(std::uint64_t bytes) {
  bytes = bytes * 10 + (bytes >> 8);
  constexpr std::uint64_t kMask = 0x000000FF000000FFu;
  bytes = ((bytes & kMask) * (100 + (1000000ull << 32)) +
           ((bytes >> 16) & kMask) * (1 + (10000ull << 32))) >>
          32;
  return bytes & 0xFFFFFFFFu;
}

/// Reads digits up to the next other character, eight at a time; false where fewer than eight
/// characters are left. Steps by a constant where it can: the next load need not wait.
inline bool append_digits(const char*& position, const char* end, std::uint64_t& value,
                          int& digits) {
  while (end - position >= 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, position, sizeof bytes);
    bytes ^= 0x3030303030303030u;  // digits become 0 .. 9
    const std::uint64_t others = (bytes | (bytes + 0x7676767676767676u)) & 0x8080808080808080u;
    if (others != 0) {
      const int length = std::countr_zero(others) / 8;
      const int half = 4 * (8 - length);
      bytes = bytes << half << half;  // as if zeros stood in front; no single shift reaches 64
      value = value * kPowersOfTen[static_cast<std::size_t>(length)] + join_digits(bytes);
      digits += length;
      position += length;
      return true;
    }
    value = value * 100000000 + join_digits(bytes);
    digits += 8;
    position += 8;
  }
  return false;
}

/// The digits before the point. One digit is so common that it has a way of its own.
inline bool read_integer(const char*& position, const char* end, std::uint64_t& value,
                         int& digits) {
  const auto first = static_cast<unsigned char>(*position - '0');
  if (end - position < 2 || position[1] != '.' || first > 9)
    return append_digits(position, end, value, digits);
  value = first;
  digits = 1;
  ++position;
  return true;
}

/// Powers of ten that T holds exactly, and then the same below zero: what is divided by them gets
/// its sign, be it 0, without a branch.
template <std::floating_point T>
inline constexpr auto kExactPowers = [] {
  std::array<std::array<T, std::same_as<T, double> ? 23 : 11>, 2> powers{};
  for (std::size_t k = 0; k < powers[0].size(); ++k) {
    powers[0][k] = k == 0 ? T{1} : powers[0][k - 1] * 10;
    powers[1][k] = -powers[0][k];
  }
  return powers;
}();

/// +-number / 10^scale where T holds both exactly: then one division rounds correctly.
template <std::floating_point T>
bool divide_exact(std::uint64_t number, int scale, bool is_negative, T& value) {
  const auto& powers = kExactPowers<T>[static_cast<std::size_t>(is_negative)];
  if (number >> std::numeric_limits<T>::digits != 0 ||
      static_cast<std::size_t>(scale) >= powers.size())
    return false;
  value =
      static_cast<T>(static_cast<std::int64_t>(number)) / powers[static_cast<std::size_t>(scale)];
  return true;
}

/// +-number / 10^scale, correctly rounded to T by 64 bits; false in the rare case where 64 bits do
/// not decide.
template <std::floating_point T>
bool divide(std::uint64_t number, int scale, bool is_negative, T& value) {
  using Bits = std::conditional_t<std::same_as<T, double>, std::uint64_t, std::uint32_t>;
  constexpr int kDigits = std::numeric_limits<T>::digits;
  constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
  constexpr int kSurplus = 64 - kDigits;
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << (kSurplus - 1);

  const Reciprocal& reciprocal = kReciprocals[static_cast<std::size_t>(scale)];
  const int zeros = std::countl_zero(number | 1);
  const Wide product = static_cast<Wide>(number << zeros) * reciprocal.value;
  const auto high = static_cast<std::uint64_t>(product >> 64);
  const int lift = high >> 63 == 0 ? 1 : 0;
  // The exact quotient lies in [quotient, quotient + 4): a part was cut off the reciprocal, another
  // off the product, and the lift doubles both. Only next to a middle that decides the rounding.
  const std::uint64_t quotient = high << lift;
  const std::uint64_t surplus = quotient & (2 * kMiddle - 1);
  if (surplus + 4 >= kMiddle && surplus <= kMiddle) return false;
  const std::uint64_t significand = (quotient >> kSurplus) + (surplus >> (kSurplus - 1));
  const int exponent = kBias + 127 - lift - zeros - reciprocal.shift;
  const std::uint64_t magnitude =
      number == 0 ? 0 : (static_cast<std::uint64_t>(exponent - 1) << (kDigits - 1)) + significand;
  const auto sign = static_cast<Bits>(static_cast<Bits>(is_negative) << (8 * sizeof(Bits) - 1));
  value = std::bit_cast<T>(static_cast<Bits>(static_cast<Bits>(magnitude) | sign));
  return true;
}

/// +-number / 10^scale, correctly rounded to T, in one of these ways.
template <std::floating_point T>
bool quotient(std::uint64_t number, int scale, bool is_negative, T& value) {
  return divide_exact(number, scale, is_negative, value) ||
         divide(number, scale, is_negative, value);
}

/// A word of characters, or of such, all of which are `byte`.
template <class Word>
constexpr Word repeated(unsigned char byte) {
  return ~Word{0} / 255 * byte;
}

inline int leading_zeros(std::uint64_t word) { return std::countl_zero(word); }
inline int leading_zeros(Wide word) {
  const auto high = static_cast<std::uint64_t>(word >> 64);
  return high != 0 ? std::countl_zero(high)
                   : 64 + std::countl_zero(static_cast<std::uint64_t>(word));
}

inline std::uint64_t join_digits(Wide bytes) {
  return join_digits(static_cast<std::uint64_t>(bytes)) * 100000000 +
         join_digits(static_cast<std::uint64_t>(bytes >> 64));
}

/// Reads digits, with a point among them or not, that are `length` characters, at least one and at
/// most as many as a word has; as many can be loaded. There is no loop and hardly a branch.
template <class Word, std::floating_point T>
bool read_word(const char* position, int length, bool is_negative, T& value) {
  Word bytes = 0;
  std::memcpy(&bytes, position, sizeof bytes);
  bytes ^= repeated<Word>('0');                             // digits become 0 .. 9
  bytes <<= 8 * (static_cast<int>(sizeof(Word)) - length);  // as if zeros stood in front
  const Word differences = bytes ^ repeated<Word>('.' ^ '0');
  // The lowest bit that is set is that of the first byte without a difference.
  const Word points = (differences - repeated<Word>(1)) & ~differences & repeated<Word>(0x80);
  int scale = 0;
  if (points != 0) {
    if (length == 1) return false;
    const Word through_point = points ^ (points - 1);
    bytes ^= (bytes ^ (bytes << 8)) & through_point;  // what is before the point takes its place
    scale = leading_zeros(through_point) / 8;
  }
  const Word others = (bytes | (bytes + repeated<Word>(0x76))) & repeated<Word>(0x80);
  return others == 0 && quotient(join_digits(bytes), scale, is_negative, value);
}

}  // namespace detail

/// So many characters behind the start of a cell must be in memory for read_short_decimal().
inline constexpr std::ptrdiff_t kShortDecimalReach = 17;

/// Reads [-]digits, with a point among them or not, that fill start .. stop - 1, as std::from_chars
/// would; false if the cell is longer than 16 characters, has another form or is a close call.
template <std::floating_point T>
bool read_short_decimal(const char* start, const char* stop, T& value) {
  if constexpr (std::endian::native != std::endian::little) return false;
  const bool is_negative = *start == '-';
  start += is_negative;
  const auto length = stop - start;
  if (length >= 1 && length <= 8) [[likely]]
    return detail::read_word<std::uint64_t>(start, static_cast<int>(length), is_negative, value);
  return length >= 1 && length <= 16 &&
         detail::read_word<detail::Wide>(start, static_cast<int>(length), is_negative, value);
}

/// Reads [-]digits[.digits] at `position`, as std::from_chars would but several times as fast, and
/// returns where it stops; nullptr if the number has another form or too many digits, if fewer
/// than eight characters are behind it in the buffer, or if its rounding is a close call: then
/// std::from_chars must do.
template <std::floating_point T>
const char* read_decimal(const char* position, const char* end, T& value) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  if (end - position < 8) return nullptr;
  const bool is_negative = *position == '-';
  position += is_negative;
  std::uint64_t number = 0;
  int digits = 0;
  if (!detail::read_integer(position, end, number, digits) || digits == 0) return nullptr;
  if (number == 0) digits = 0;
  int scale = 0;
  if (*position == '.') {
    ++position;
    if (!detail::append_digits(position, end, number, scale)) return nullptr;
  }
  if (digits + scale > detail::kMostDigits || *position == 'e' || *position == 'E') return nullptr;
  return detail::quotient(number, scale, is_negative, value) ? position : nullptr;
}

}  // namespace tamis
