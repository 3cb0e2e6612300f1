#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tamis {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t place) {
  return static_cast<unsigned char>(text[place]);
}

bool is_continuation(std::string_view text, std::size_t place) {
  return place < text.size() && (byte_at(text, place) & 0xC0U) == 0x80U;
}

/// A character and the bytes it takes; length 0 if there is no valid one.
struct Character {
  std::uint32_t code;
  std::size_t length;
};

Character character_at(std::string_view text, std::size_t place) {
  const unsigned char lead = byte_at(text, place);
  if (lead < 0x80U) return {lead, 1};
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U) return {0, 0};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, place + i)) return {0, 0};
    code = (code << 6U) | (byte_at(text, place + i) & 0x3FU);
  }
  static constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800U && code <= 0xDFFFU;
  if (code < kSmallest[length] || code > 0x10FFFFU || is_surrogate) return {0, 0};
  return {code, length};
}

bool is_control(std::uint32_t code) {
  return (code < 0x20U && code != '\t' && code != '\n' && code != '\r') ||
         (code >= 0x7FU && code < 0xA0U);
}

double character_width(std::uint32_t code) {
  if (code >= 0x1100U && code != 0x2026U && (code < 0x2000U || code >= 0x2E80U)) return 1.0;
  if (code >= 0x80U) return 0.65;
  const auto c = static_cast<char>(code);
  if (std::string_view("ijl.,;:'|![]() ftrI").find(c) != std::string_view::npos) return 0.4;
  if (std::string_view("mwMW@%").find(c) != std::string_view::npos) return 0.98;
  return (c >= 'A' && c <= 'Z') ? 0.72 : 0.62;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t place = 0; place < text.size();) {
    const Character character = character_at(text, place);
    if (character.length == 0 || is_control(character.code))
      clean += kReplacement;
    else
      clean += text.substr(place, character.length);
    place += std::max<std::size_t>(character.length, 1);
  }
  return clean;
}

double text_width(std::string_view text) {
  double width = 0.0;
  for (std::size_t place = 0; place < text.size();) {
    const Character character = character_at(text, place);
    width += character_width(character.code);
    place += std::max<std::size_t>(character.length, 1);
  }
  return width;
}

std::string shortened(std::string_view text, double width) {
  std::string clean = clean_text(text);
  if (text_width(clean) <= width) return clean;
  double used = character_width(0x2026U);
  std::size_t end = 0;
  while (end < clean.size()) {
    const Character character = character_at(clean, end);
    used += character_width(character.code);
    if (used > width) break;
    end += character.length;
  }
  return clean.substr(0, end) + "…";
}

std::string counted(long long count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string briefly(double value) {
  if (std::isnan(value)) return "–";
  const bool is_tiny = value != 0.0 && std::abs(value) < 1e-3;
  return is_tiny ? fmt::format("{:.1e}", value) : fmt::format("{:.3g}", value);
}

std::string for_people(double value) {
  if (std::isnan(value)) return "–";
  return fmt::format("{:.4g}", value);
}

}  // namespace tamis
