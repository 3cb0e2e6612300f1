#pragma once

#include "streaming/column_ranges.hpp"
#include "streaming/conversation.hpp"
#include "streaming/fixed_point_sums.hpp"

namespace tamis {

/// Variance in two passes: ranges, then deviations from their middles in fixed point of 31 bits.
class StreamedVariance : public RankingConversation {
 public:
  explicit StreamedVariance(StreamedProblem problem) : problem_(std::move(problem)) {}

  std::vector<PassPlan> passes() const override;
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

 private:
  Ranking ranked(const Run& run) override;

  StreamedProblem problem_;
  std::optional<ColumnRanges> ranges_ = std::nullopt;
  std::unique_ptr<PassState> deviations_;
};

}  // namespace tamis
