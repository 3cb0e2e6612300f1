#include "cli/console/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kRefresh{100};
constexpr int kBarWidth = 24;

/// "about 12 s left", in the unit that people would use.
std::string time_left(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds < 2 * kMinute) return fmt::format("about {:.0f} s left", std::ceil(seconds));
  if (seconds < 2 * kHour) return fmt::format("about {:.0f} min left", seconds / kMinute);
  return fmt::format("about {:.0f} h left", seconds / kHour);
}

}  // namespace

ProgressBar::ProgressBar(const Arguments& arguments, const Voice& voice)
    : screen_(voice.screen()),
      is_wanted_(voice.screen().is_terminal && !voice.is_quiet() &&
                 arguments.text("progress", "auto") == "auto") {}

ProgressBar::~ProgressBar() { erase(); }

void ProgressBar::erase() {
  if (is_drawn_) write_error("\r\033[K");
  is_drawn_ = false;
}

Progress ProgressBar::progress() {
  if (!is_wanted_) return {};
  return Progress(
      [this](std::string_view stage, Index done, Index total) { show(stage, done, total); });
}

void ProgressBar::show(std::string_view stage, Index done, Index total) {
  const Clock::time_point now = Clock::now();
  if (stage != stage_ || done < done_) {
    stage_ = stage;
    stage_start_ = last_step_;
  }
  last_step_ = now;
  done_ = done;
  if (done == 0 || now - start_ < kPatience || (is_drawn_ && now - drawn_ < kRefresh)) return;
  draw(stage, static_cast<double>(done) / static_cast<double>(std::max<Index>(total, 1)), now);
}

void ProgressBar::draw(std::string_view stage, double share, Clock::time_point now) {
  const auto elapsed = std::chrono::duration<double>(now - stage_start_).count();
  const std::string words =
      fmt::format(" {:3.0f} %  {}", 100.0 * share, time_left(elapsed * (1.0 / share - 1.0)));
  const auto used = static_cast<int>(display_width(stage) + 1 + words.size());
  const int width = std::clamp(screen_.width - 1 - used, 0, kBarWidth);
  const std::string bar = unicode_bar(share, width);
  write_error(fmt::format(
      "\r\033[K{} {}{}{}", stage, styled(screen_, "38;5;38", bar),
      styled(screen_, "2", std::string(static_cast<std::size_t>(width) - display_width(bar), '.')),
      words));
  is_drawn_ = true;
  drawn_ = now;
}

}  // namespace tamis::cli
