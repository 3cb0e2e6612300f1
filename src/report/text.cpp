#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/utf8.hpp"

namespace tamis {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// A page shows what its author meant by tabs and line ends, and nothing of other control
/// characters.
bool belongs_on_a_page(std::uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || !is_control(code);
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
    const Utf8Character character = utf8_at(text, place);
    if (character.length == 0 || !belongs_on_a_page(character.code))
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
    const Utf8Character character = utf8_at(text, place);
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
    const Utf8Character character = utf8_at(clean, end);
    used += character_width(character.code);
    if (used > width) break;
    end += character.length;
  }
  return clean.substr(0, end) + "…";
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
