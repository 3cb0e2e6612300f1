#pragma once

#include "streaming/column_ranges.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// Asks for the ranges of all columns, and for nothing else.
class RangeConversation : public Conversation {
 public:
  explicit RangeConversation(StreamedProblem problem) : problem_(std::move(problem)) {}

  std::vector<PassPlan> passes() const override {
    return {{std::string(RangeState::kKind), result_bytes()}};
  }
  Index result_bytes() const override { return problem_.bytes_of(2); }
  std::optional<Pass> next_pass() override {
    if (ranges_) return std::nullopt;
    return RangeState::pass(problem_.cols);
  }
  void accept(std::unique_ptr<PassState> state) override {
    ranges_ = static_cast<const RangeState&>(*state).ranges();
    refuse_bad_values(ranges_->bad_values(), problem_);
  }

  /// Once nothing is asked any more.
  const ColumnRanges& ranges() const { return *ranges_; }

 private:
  StreamedProblem problem_;
  std::optional<ColumnRanges> ranges_ = std::nullopt;
};

}  // namespace tamis
