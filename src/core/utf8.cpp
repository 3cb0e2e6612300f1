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

constexpr std::uint32_t kHighSurrogates = 0xD800;
constexpr std::uint32_t kLowSurrogates = 0xDC00;
constexpr std::uint32_t kSurrogatesEnd = 0xE000;

bool is_character(std::uint32_t code) {
  return code <= 0x10FFFFU && (code < kHighSurrogates || code >= kSurrogatesEnd);
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
  if (code < kSmallest[length] || !is_character(code)) return {};
  return {code, length};
}

void append_utf8(std::string& text, std::uint32_t code) {
  if (!is_character(code)) code = kReplacementCharacter;
  const auto continue_with = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80U) {
    text += static_cast<char>(code);
  } else if (code < 0x800U) {
    text += static_cast<char>(0xC0U | (code >> 6U));
    continue_with(0);
  } else if (code < 0x10000U) {
    text += static_cast<char>(0xE0U | (code >> 12U));
    continue_with(6), continue_with(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18U));
    continue_with(12), continue_with(6), continue_with(0);
  }
}

bool is_surrogate_pair(std::uint32_t first, std::uint32_t second) {
  return first >= kHighSurrogates && first < kLowSurrogates && second >= kLowSurrogates &&
         second < kSurrogatesEnd;
}

std::uint32_t character_of_pair(std::uint32_t first, std::uint32_t second) {
  return 0x10000U + ((first - kHighSurrogates) << 10U) + (second - kLowSurrogates);
}

bool is_control(std::uint32_t code) { return code < 0x20U || (code >= 0x7FU && code < 0xA0U); }

}  // namespace tamis
