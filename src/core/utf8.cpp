#include "core/utf8.hpp"

#include <array>

namespace tamis {
namespace {

unsigned char byte_at(std::string_view text, std::size_t place) {
  return static_cast<unsigned char>(text[place]);
}

bool is_continuation(std::string_view text, std::size_t place) {
  return place < text.size() && (byte_at(text, place) & 0xC0U) == 0x80U;
}

}  // namespace

Utf8Character utf8_at(std::string_view text, std::size_t place) {
  const unsigned char lead = byte_at(text, place);
  if (lead < 0x80U) return {lead, 1};
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, place + i)) return {};
    code = (code << 6U) | (byte_at(text, place + i) & 0x3FU);
  }
  static constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800U && code <= 0xDFFFU;
  if (code < kSmallest[length] || code > 0x10FFFFU || is_surrogate) return {};
  return {code, length};
}

bool is_control(std::uint32_t code) { return code < 0x20U || (code >= 0x7FU && code < 0xA0U); }

}  // namespace tamis
