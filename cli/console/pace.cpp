#include "cli/console/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis::cli {
namespace {

constexpr double kLongWork = 10.0;      // seconds
constexpr double kFirstGuess = 1.0;     // seconds of a stage after which its pace is believed
constexpr double kLeastPerStep = 1e-3;  // seconds below which a step means nothing to people

}  // namespace

void Pace::step(std::string_view stage, Index done, Index total, double now) {
  if (stage != stage_ || done < done_) {
    stage_ = stage;
    stage_start_ = now_;
  }
  now_ = now;
  done_ = done;
  total_ = std::max<Index>(total, 1);
}

double Pace::share() const { return static_cast<double>(done_) / static_cast<double>(total_); }

std::optional<std::string> Pace::announcement() {
  if (is_announced_ || done_ == 0 || done_ >= total_ || stage_seconds() < kFirstGuess ||
      stage_seconds() + seconds_left() < kLongWork)
    return std::nullopt;
  is_announced_ = true;
  if (seconds_per_step() < kLeastPerStep)
    return fmt::format("{}: {:.0f} % done, {}", stage_, 100.0 * share(), time_left(seconds_left()));
  return fmt::format("{}: {} of {} done, {} ({:.2g} s each so far)", stage_, done_, total_,
                     time_left(seconds_left()), seconds_per_step());
}

std::string time_left(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds < 2 * kMinute) return fmt::format("about {:.0f} s left", std::ceil(seconds));
  if (seconds < 2 * kHour) return fmt::format("about {:.0f} min left", seconds / kMinute);
  return fmt::format("about {:.0f} h left", seconds / kHour);
}

}  // namespace tamis::cli
