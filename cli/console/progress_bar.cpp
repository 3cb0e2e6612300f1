#include "cli/console/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::cli {
namespace {

constexpr double kPatience = 0.5;  // seconds
constexpr double kRefresh = 0.1;
constexpr int kBarWidth = 24;

}  // namespace

ProgressBar::ProgressBar(const Arguments& arguments, const Voice& voice)
    : voice_(voice),
      is_wanted_(!voice.is_quiet() && arguments.text("progress", "auto") == "auto") {}

ProgressBar::~ProgressBar() { erase(); }

void ProgressBar::erase() {
  if (is_drawn_) write_error("\r\033[K");
  is_drawn_ = false;
}

Progress ProgressBar::progress() {
  if (!is_wanted_) return {};
  return Progress([this](std::string_view stage, Index done, Index total) {
    pace_.step(stage, done, total, watch_.seconds());
    if (done > 0) show(stage);
  });
}

void ProgressBar::show(std::string_view stage) {
  if (!voice_.screen().is_terminal) {
    if (const auto line = pace_.announcement()) voice_.note(*line);
  } else if (pace_.seconds() >= kPatience && (!is_drawn_ || pace_.seconds() - drawn_ >= kRefresh)) {
    draw(stage);
  }
}

void ProgressBar::draw(std::string_view stage) {
  const Screen& screen = voice_.screen();
  const double share = pace_.share();
  const std::string words =
      fmt::format(" {:3.0f} %  {}", 100.0 * share, time_left(pace_.seconds_left()));
  const auto used = static_cast<int>(display_width(stage) + 1 + words.size());
  const int width = std::clamp(screen.width - 1 - used, 0, kBarWidth);
  const std::string bar = unicode_bar(share, width);
  write_error(fmt::format(
      "\r\033[K{} {}{}{}", stage, styled(screen, "38;5;38", bar),
      styled(screen, "2", std::string(static_cast<std::size_t>(width) - display_width(bar), '.')),
      words));
  is_drawn_ = true;
  drawn_ = pace_.seconds();
}

}  // namespace tamis::cli
