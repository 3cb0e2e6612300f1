#include "cli/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kRefresh{100};
constexpr int kBarWidth = 24;

}  // namespace

ProgressBar::ProgressBar(const Arguments& arguments, const Voice& voice)
    : screen_(voice.screen()),
      is_wanted_(voice.screen().is_terminal && !voice.is_quiet() &&
                 arguments.text("progress", "auto") == "auto") {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) write_error("\r\033[K");
}

Progress ProgressBar::progress() {
  if (!is_wanted_) return {};
  return Progress(
      [this](std::string_view stage, Index done, Index total) { show(stage, done, total); });
}

void ProgressBar::show(std::string_view stage, Index done, Index total) {
  const Clock::time_point now = Clock::now();
  if (now - start_ < kPatience || (is_drawn_ && now - drawn_ < kRefresh)) return;
  const double share = static_cast<double>(done) / static_cast<double>(std::max<Index>(total, 1));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  const std::string bar = unicode_bar(share, kBarWidth);
  write_error(fmt::format("\r\033[K{} {}{} {:3.0f} %  {} s", stage, styled(screen_, "38;5;38", bar),
                          styled(screen_, "2", std::string(kBarWidth - display_width(bar), '.')),
                          100.0 * share, seconds));
  is_drawn_ = true;
  drawn_ = now;
}

}  // namespace tamis::cli
