#include "io/arrow_column.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "io/dates.hpp"

namespace tamis {
namespace {

template <class Item>
Item item_at(const void* buffer, std::int64_t at) {
  Item item;
  std::memcpy(&item, static_cast<const char*>(buffer) + at * std::int64_t{sizeof(Item)},
              sizeof(Item));
  return item;
}

bool bit_at(const void* bits, std::int64_t at) {
  return ((item_at<unsigned char>(bits, at / 8) >> (at % 8)) & 1) != 0;
}

bool is_valid(const ArrowArray& array, std::int64_t i) {
  const bool has_bits = array.n_buffers > 0 && array.buffers[0] != nullptr;
  return !has_bits || bit_at(array.buffers[0], array.offset + i);
}

/// IEEE 754 of 16 bits.
struct Half {
  std::uint16_t bits;

  template <std::floating_point T>
  explicit operator T() const {
    const int exponent = bits >> 10 & 0x1F;
    const double fraction = bits & 0x3FF;
    double value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    if (exponent == 0x1F)
      value = fraction == 0 ? std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::quiet_NaN();
    return static_cast<T>((bits & 0x8000) != 0 ? -value : value);
  }
};

/// Calls use(Item{}) with the type of the items that a format of plain numbers says. Returns
/// whether it is one.
template <class Use>
bool with_number_type(std::string_view format, const Use& use) {
  if (format.size() != 1) return false;
  switch (format.front()) {
    case 'c':
      use(std::int8_t{});
      return true;
    case 'C':
      use(std::uint8_t{});
      return true;
    case 's':
      use(std::int16_t{});
      return true;
    case 'S':
      use(std::uint16_t{});
      return true;
    case 'i':
      use(std::int32_t{});
      return true;
    case 'I':
      use(std::uint32_t{});
      return true;
    case 'l':
      use(std::int64_t{});
      return true;
    case 'L':
      use(std::uint64_t{});
      return true;
    case 'e':
      use(Half{});
      return true;
    case 'f':
      use(float{});
      return true;
    case 'g':
      use(double{});
      return true;
    default:
      return false;
  }
}

/// d:PRECISION,SCALE or d:PRECISION,SCALE,BITS.
struct DecimalType {
  int scale = 0;
  int bits = 128;
};

std::optional<DecimalType> decimal_type(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  std::vector<int> numbers;
  for (const char* at = format.data() + 2; at < format.data() + format.size();) {
    int number = 0;
    const auto [stop, code] = std::from_chars(at, format.data() + format.size(), number);
    if (code != std::errc{}) return std::nullopt;
    numbers.push_back(number);
    at = stop + 1;
  }
  if (numbers.size() < 2) return std::nullopt;
  const DecimalType type{.scale = numbers[1], .bits = numbers.size() > 2 ? numbers[2] : 128};
  const bool is_known = type.bits == 32 || type.bits == 64 || type.bits == 128;
  return is_known ? std::optional(type) : std::nullopt;
}

/// The nearest number to a decimal, by its digits and its exponent: 12345e-2.
template <class T>
T decimal_number(const ArrowArray& array, DecimalType type, std::int64_t i) {
  __extension__ using Wide = __int128;
  const void* const items = array.buffers[1];
  const std::int64_t at = array.offset + i;
  const Wide value = type.bits == 32   ? item_at<std::int32_t>(items, at)
                     : type.bits == 64 ? item_at<std::int64_t>(items, at)
                                       : item_at<Wide>(items, at);
  const std::string text = fmt::format("{}e{}", value, -type.scale);
  T number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// How many ticks of a format of dates and times make a second; nothing of another one. tdD counts
/// days.
std::optional<std::int64_t> ticks_per_second(std::string_view format) {
  if (format == "tdm") return 1'000;
  if (format.size() < 4 || !format.starts_with("ts") || format[3] != ':') return std::nullopt;
  switch (format[2]) {
    case 's':
      return 1;
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    case 'n':
      return 1'000'000'000;
    default:
      return std::nullopt;
  }
}

bool is_date(std::string_view format) {
  return format == "tdD" || ticks_per_second(format).has_value();
}

std::string date_at(const ArrowArray& array, std::string_view format, std::int64_t i) {
  constexpr std::int64_t kSecondsPerDay = 86'400;
  const std::int64_t at = array.offset + i;
  const auto ticks = ticks_per_second(format);
  if (!ticks) return date_text(item_at<std::int32_t>(array.buffers[1], at) * kSecondsPerDay);
  const auto count = item_at<std::int64_t>(array.buffers[1], at);
  return date_text(count / *ticks - (count % *ticks < 0 ? 1 : 0));
}

bool is_string(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

/// Of 16 bytes: the length, and then the text itself if it has at most 12 bytes, else its start,
/// the number of a buffer and where it begins there.
std::string_view viewed_text(const ArrowArray& array, std::int64_t at) {
  constexpr std::int32_t kLongestInline = 12;
  const char* const view = static_cast<const char*>(array.buffers[1]) + at * 16;
  const auto length = item_at<std::int32_t>(view, 0);
  if (length <= kLongestInline) return {view + 4, static_cast<std::size_t>(length)};
  const char* const buffer =
      static_cast<const char*>(array.buffers[2 + item_at<std::int32_t>(view, 2)]);
  return {buffer + item_at<std::int32_t>(view, 3), static_cast<std::size_t>(length)};
}

std::string_view string_at(const ArrowArray& array, std::string_view format, std::int64_t i) {
  const std::int64_t at = array.offset + i;
  if (format == "vu") return viewed_text(array, at);
  const auto cut = [&](auto begin, auto end) {
    return std::string_view(static_cast<const char*>(array.buffers[2]) + begin,
                            static_cast<std::size_t>(end - begin));
  };
  const void* const ends = array.buffers[1];
  return format == "u" ? cut(item_at<std::int32_t>(ends, at), item_at<std::int32_t>(ends, at + 1))
                       : cut(item_at<std::int64_t>(ends, at), item_at<std::int64_t>(ends, at + 1));
}

/// Calls take(i, entry) with the entry of the dictionary that each valid item of an array is.
template <class Take>
void each_entry(const ArrowSchema& field, const ArrowArray& array, const Take& take) {
  with_number_type(field.format, [&]<class Item>(Item) {
    if constexpr (std::integral<Item>)
      for (std::int64_t i = 0; i < array.length; ++i)
        if (is_valid(array, i)) take(i, item_at<Item>(array.buffers[1], array.offset + i));
  });
}

/// One that is valid, of any type but a dictionary.
std::string text_at(const ArrowSchema& field, const ArrowArray& array, std::int64_t i) {
  const std::string_view format = field.format;
  if (is_string(format)) return std::string(string_at(array, format, i));
  if (is_date(format)) return date_at(array, format, i);
  if (format == "b") return bit_at(array.buffers[1], array.offset + i) ? "true" : "false";
  if (const auto decimal = decimal_type(format))
    return fmt::format("{}", decimal_number<double>(array, *decimal, i));
  std::string text;
  with_number_type(format, [&]<class Item>(Item) {
    const auto item = item_at<Item>(array.buffers[1], array.offset + i);
    if constexpr (std::same_as<Item, Half>)
      text = fmt::format("{}", static_cast<double>(item));
    else
      text = fmt::format("{}", item);
  });
  return text;
}

}  // namespace

ArrowKind kind_of(const ArrowSchema& field) {
  if (field.dictionary != nullptr) return kind_of(*field.dictionary);
  const std::string_view format = field.format;
  if (is_string(format) || is_date(format)) return ArrowKind::texts;
  const bool is_number = format == "n" || format == "b" || decimal_type(format) ||
                         with_number_type(format, [](auto) {});
  return is_number ? ArrowKind::numbers : ArrowKind::others;
}

template <std::floating_point T>
void copy_numbers(const ArrowSchema& field, const ArrowArray& array, T* out) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  if (field.dictionary != nullptr) {
    std::vector<T> entries(static_cast<std::size_t>(array.dictionary->length));
    copy_numbers(*field.dictionary, *array.dictionary, entries.data());
    std::fill_n(out, array.length, kNan);
    each_entry(field, array, [&](std::int64_t i, auto entry) { out[i] = entries[entry]; });
    return;
  }
  const std::string_view format = field.format;
  const auto each = [&](const auto& make) {
    for (std::int64_t i = 0; i < array.length; ++i) out[i] = is_valid(array, i) ? make(i) : kNan;
  };
  if (format == "n") return std::fill_n(out, array.length, kNan), void();
  if (format == "b")
    return each([&](std::int64_t i) -> T { return bit_at(array.buffers[1], array.offset + i); });
  if (const auto decimal = decimal_type(format))
    return each([&](std::int64_t i) { return decimal_number<T>(array, *decimal, i); });
  with_number_type(format, [&]<class Item>(Item) {
    each([&](std::int64_t i) {
      return static_cast<T>(item_at<Item>(array.buffers[1], array.offset + i));
    });
  });
}
template void copy_numbers(const ArrowSchema&, const ArrowArray&, float*);
template void copy_numbers(const ArrowSchema&, const ArrowArray&, double*);

void copy_texts(const ArrowSchema& field, const ArrowArray& array, std::string* out) {
  if (field.dictionary != nullptr) {
    std::vector<std::string> entries(static_cast<std::size_t>(array.dictionary->length));
    copy_texts(*field.dictionary, *array.dictionary, entries.data());
    each_entry(field, array, [&](std::int64_t i, auto entry) { out[i] = entries[entry]; });
    return;
  }
  if (std::string_view(field.format) == "n") return;
  for (std::int64_t i = 0; i < array.length; ++i)
    if (is_valid(array, i)) out[i] = text_at(field, array, i);
}

}  // namespace tamis
