#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis::cli {

/// How fast work goes, by the steps that it reports and a clock in seconds that the caller reads.
/// What it says is about the current stage: nothing is known of later ones.
class Pace {
 public:
  explicit Pace(double now) : start_(now), stage_start_(now), now_(now) {}

  void step(std::string_view stage, Index done, Index total, double now);

  /// Since the work began; of the current stage.
  double seconds() const { return now_ - start_; }
  double share() const;
  double seconds_left() const { return stage_seconds() * (1.0 / share() - 1.0); }
  double seconds_per_step() const { return stage_seconds() / static_cast<double>(done_); }

  /// "evaluating runs: 3 of 200 done, about 4 min left (1.2 s each so far)": once, as soon as it is
  /// seen that a stage takes more than about ten seconds.
  std::optional<std::string> announcement();

 private:
  double stage_seconds() const { return now_ - stage_start_; }

  double start_;
  double stage_start_;
  double now_;
  std::string stage_ = {};
  Index done_ = 0;
  Index total_ = 1;
  bool is_announced_ = false;
};

/// "about 12 s left", in the unit that people would use.
std::string time_left(double seconds);

}  // namespace tamis::cli
