#include "tamis/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/utf8.hpp"

namespace tamis {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Characters after which terminals write from right to left, or isolate what follows.
bool turns_direction(std::uint32_t code) {
  return (code >= 0x202AU && code <= 0x202EU) || (code >= 0x2066U && code <= 0x2069U) ||
         code == 0x200EU || code == 0x200FU;
}

std::string escaped(std::uint32_t code) {
  switch (code) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    default:
      return code < 0x100U ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t place = 0; place < text.size();) {
    const auto [code, length] = utf8_at(text, place);
    if (length == 0)
      shown += kReplacement;
    else if (is_control(code) || turns_direction(code))
      shown += escaped(code);
    else
      shown += text.substr(place, length);
    place += std::max<std::size_t>(length, 1);
  }
  return shown;
}

}  // namespace tamis
