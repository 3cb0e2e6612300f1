#include "cli/console/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "cli/console/remedies.hpp"

namespace tamis::cli {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Screen screen_of(int descriptor, const Arguments& arguments) {
  Screen screen{.is_terminal = isatty(descriptor) == 1, .has_color = false, .width = 80};
  const std::string color = arguments.text("color", arguments.is_on("no-color") ? "never" : "auto");
  screen.has_color = color == "always";
  if (!screen.is_terminal) return screen;
  if (color == "auto")
    screen.has_color = environment("TERM") != "dumb" && environment("NO_COLOR").empty();
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) screen.width = size.ws_col;
  return screen;
}

std::string styled(const Screen& screen, std::string_view style, std::string_view text) {
  return screen.has_color ? fmt::format("\033[{}m{}\033[0m", style, text) : std::string(text);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

std::string fitted(std::string_view text, std::size_t width) {
  const std::size_t characters = display_width(text);
  if (characters <= width) return std::string(text) + std::string(width - characters, ' ');
  std::size_t end = 0;
  for (std::size_t kept = 0; kept < width; ++kept) do
      ++end;
    while (end < text.size() && continues_character(text[end]));
  do --end;
  while (continues_character(text[end]));
  return std::string(text.substr(0, end)) + "…";
}

std::string unicode_bar(double share, int width) {
  static constexpr std::array<std::string_view, 8> kPartial{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string bar;
  for (int cell = 0; cell < eighths / 8; ++cell) bar += "█";
  return bar += kPartial[static_cast<std::size_t>(eighths % 8)];
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

Voice::Voice(const Arguments& arguments)
    : screen_(screen_of(STDERR_FILENO, arguments)),
      is_quiet_(arguments.is_on("quiet")),
      is_verbose_(arguments.is_on("verbose")) {}

void Voice::say(std::string_view line) const {
  if (!is_quiet_) write_error(fmt::format("{}\n", line));
}

void Voice::note(std::string_view text) const { say(fmt::format("tamis: note: {}", text)); }

void Voice::notes(const std::string& file, const std::vector<Note>& notes) const {
  for (const auto& [text, remedy, is_warning] : notes) {
    const std::string words = with_remedy(fmt::format("{}: {}", file, text), remedy);
    is_warning ? warn(words) : note(words);
  }
}

void Voice::warn(std::string_view text) const {
  if (!warned_.emplace(text).second) return;
  say(fmt::format("tamis: {} {}", styled(screen_, "33", "warning:"), text));
}

void Voice::detail(std::string_view line) const {
  if (is_verbose_) say(styled(screen_, "2", line));
}

void write_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace tamis::cli
