#pragma once

#include <optional>

#include "streaming/conversation.hpp"
#include "streaming/range_conversation.hpp"
#include "streaming/together.hpp"
#include "tamis/core/run.hpp"
#include "tamis/methods/csfsr.hpp"

namespace tamis {

/// csfsr over any ranking from a stream, in one pass more than that takes: for the correlations of
/// the candidates, of values rounded to 31 bits. The ranges that this needs are asked for beside
/// the first question of the base.
class StreamedCsfsr : public RankingConversation {
 public:
  /// @throws InvalidArgument if an option is out of range
  StreamedCsfsr(StreamedProblem problem, const CsfsrOptions& options,
                std::unique_ptr<RankingConversation> base, std::uint64_t seed);

  void fit(const AnswerSpace& space) override { both_->fit(space); }
  std::vector<PassPlan> passes() const override;
  bool is_open_ended() const override { return both_ && both_->is_open_ended(); }
  Index result_bytes() const override;
  bool wants_folder() const override { return both_ && both_->wants_folder(); }
  Index rows_liked() const override { return both_ ? both_->rows_liked() : 0; }
  void report_to(const Run& run) override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

 private:
  Ranking ranked(const Run& run) override;
  void rank_by_base();
  Index pruning_bytes() const;

  Index cols_;
  CsfsrOptions options_;
  std::unique_ptr<RankingConversation> base_;
  RangeConversation ranges_;
  std::optional<Together> both_;             ///< as long as the base asks
  std::vector<PassPlan> first_passes_ = {};  ///< then what they were
  Run run_;
  std::optional<Ranking> ranking_ = std::nullopt;  ///< of the base
  std::vector<Index> candidates_;
  std::unique_ptr<PassState> products_;
};

}  // namespace tamis
