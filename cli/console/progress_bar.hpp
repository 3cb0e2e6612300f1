#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/console/terminal.hpp"
#include "tamis/core/progress.hpp"

namespace tamis::cli {

/// Shows on a terminal how far work has come and how long its stage may still take, once it has
/// taken half a second; erased at the end.
class ProgressBar {
 public:
  ProgressBar(const Arguments& arguments, const Voice& voice);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// To be given to the problem; must not outlive the bar.
  Progress progress();
  /// Gives the line to other words; the next step draws the bar again.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::string_view stage, Index done, Index total);
  void draw(std::string_view stage, double share, Clock::time_point now);

  Screen screen_;
  bool is_wanted_;
  bool is_drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  std::string stage_ = {};
  Index done_ = 0;
  Clock::time_point stage_start_ = start_;
  Clock::time_point last_step_ = start_;
};

}  // namespace tamis::cli
