#pragma once

#include <string_view>

#include "cli/console/pace.hpp"
#include "cli/console/run_report.hpp"
#include "cli/console/terminal.hpp"
#include "tamis/core/progress.hpp"

namespace tamis::cli {

/// Shows on a terminal how far work has come and how long its stage may still take, once it has
/// taken half a second; erased at the end. Elsewhere it says so in one line, if work takes long.
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
  void show(std::string_view stage);
  void draw(std::string_view stage);

  const Voice& voice_;
  bool is_wanted_;
  bool is_drawn_ = false;
  double drawn_ = 0.0;
  Stopwatch watch_ = {};
  Pace pace_{0.0};
};

}  // namespace tamis::cli
