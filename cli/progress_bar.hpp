#pragma once

#include <chrono>
#include <string_view>

#include "cli/terminal.hpp"
#include "tamis/core/progress.hpp"

namespace tamis::cli {

/// Shows on a terminal how far work has come, once it has taken half a second; erased at the end.
class ProgressBar {
 public:
  ProgressBar(const Arguments& arguments, const Voice& voice);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// To be given to the problem; must not outlive the bar.
  Progress progress();

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::string_view stage, Index done, Index total);

  Screen screen_;
  bool is_wanted_;
  bool is_drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
};

}  // namespace tamis::cli
