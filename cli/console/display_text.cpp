#include "cli/console/display_text.hpp"

#include <fmt/format.h>
#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/utf8.hpp"

namespace tamis::cli {
namespace {

/// A locale that knows Unicode, whatever the user's is; none if the system has none.
locale_t unicode_locale() {
  for (const char* const name : {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"})
    if (const locale_t found = newlocale(LC_CTYPE_MASK, name, nullptr)) return found;
  return nullptr;
}

/// The cells of a character, by the table of the C library: it is what terminals go by.
std::size_t cells_of(std::uint32_t code) {
  constexpr std::uint32_t kFirstCombining = 0x300;
  static const locale_t unicode = unicode_locale();
  if (code < kFirstCombining || unicode == nullptr) return is_control(code) ? 0 : 1;
  const locale_t before = uselocale(unicode);  // of this thread alone
  const int cells = wcwidth(static_cast<wchar_t>(code));
  uselocale(before);
  return static_cast<std::size_t>(std::max(cells, 0));
}

/// What stands at a place of a text: the bytes it takes, and the cells.
struct Piece {
  std::size_t length;
  std::size_t cells;
};

Piece piece_at(std::string_view text, std::size_t place) {
  if (text.substr(place).starts_with("\033["))
    if (const std::size_t end = text.find('m', place); end != std::string_view::npos)
      return {end + 1 - place, 0};
  const auto [code, length] = utf8_at(text, place);
  return length == 0 ? Piece{1, 1} : Piece{length, cells_of(code)};
}

/// As much of a text as leaves room for an ellipsis, and that; it may leave a cell free.
std::string cut(std::string_view text, std::size_t width) {
  if (width == 0) return "";
  std::size_t end = 0;
  for (std::size_t used = 1; end < text.size();) {
    const auto [length, cells] = piece_at(text, end);
    used += cells;
    if (used > width) break;
    end += length;
  }
  return fmt::format("{}…", text.substr(0, end));
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t place = 0; place < text.size();) {
    const auto [length, cells] = piece_at(text, place);
    width += cells;
    place += length;
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  return display_width(text) > width ? cut(text, width) : std::string(text);
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string shown = shortened(text, width);
  return shown.append(width - display_width(shown), ' ');
}

std::string aligned_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used > width) return fitted(text, width);
  return std::string(width - used, ' ').append(text);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (column > indent && column + 1 + display_width(word) > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += display_width(word);
    start = end + 1;
  }
  return lines;
}

std::string unicode_bar(double share, int width) {
  static constexpr std::array<std::string_view, 8> kPartial{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string bar;
  for (int cell = 0; cell < eighths / 8; ++cell) bar += "█";
  return bar += kPartial[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace tamis::cli
