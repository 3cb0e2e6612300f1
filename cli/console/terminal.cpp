#include "cli/console/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "cli/console/remedies.hpp"

namespace tamis::cli {
namespace {

constexpr int kNarrowest = 40;
constexpr int kUsualWidth = 80;
constexpr int kWidestProse = 96;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What COLUMNS says, or else the terminal itself; 80 if neither does.
int width_of(int descriptor) {
  const std::string columns = environment("COLUMNS");
  int width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  if (width <= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width > 0 ? std::max(width, kNarrowest) : kUsualWidth;
}

}  // namespace

Screen screen_of(int descriptor, const Arguments& arguments) {
  Screen screen{.is_terminal = isatty(descriptor) == 1, .width = width_of(descriptor)};
  const std::string color = arguments.text("color", arguments.is_on("no-color") ? "never" : "auto");
  screen.has_color = color == "always";
  if (!screen.is_terminal) return screen;
  if (color == "auto")
    screen.has_color = environment("TERM") != "dumb" && environment("NO_COLOR").empty();
  return screen;
}

std::string styled(const Screen& screen, std::string_view style, std::string_view text) {
  return screen.has_color ? fmt::format("\033[{}m{}\033[0m", style, text) : std::string(text);
}

std::string for_screen(std::string_view line, const Screen& screen) {
  constexpr std::size_t kIndent = 2;
  return screen.is_terminal ? wrapped(line, kIndent, prose_width(screen)) : std::string(line);
}

std::size_t prose_width(const Screen& screen) {
  return static_cast<std::size_t>(std::clamp(screen.width, kNarrowest, kWidestProse));
}

Voice::Voice(const Arguments& arguments)
    : screen_(screen_of(STDERR_FILENO, arguments)),
      is_quiet_(arguments.is_on("quiet")),
      is_verbose_(arguments.is_on("verbose")) {}

void Voice::say(std::string_view line) const {
  if (!is_quiet_) write_error(fmt::format("{}\n", for_screen(line, screen_)));
}

void Voice::note(std::string_view text) const {
  say(fmt::format("tamis: note: {}", printable(text)));
}

void Voice::notes(const std::string& file, const std::vector<Note>& notes) const {
  for (const auto& [text, remedy, is_warning] : notes) {
    const std::string words = with_remedy(fmt::format("{}: {}", file, text), remedy);
    is_warning ? warn(words) : note(words);
  }
}

void Voice::warn(std::string_view text) const {
  if (!warned_.emplace(text).second) return;
  say(fmt::format("tamis: {} {}", styled(screen_, "33", "warning:"), printable(text)));
}

void Voice::detail(std::string_view line) const {
  if (is_verbose_ && !is_quiet_) write_error(fmt::format("{}\n", styled(screen_, "2", line)));
}

void write_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace tamis::cli
