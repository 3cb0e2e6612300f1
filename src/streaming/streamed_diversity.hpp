#pragma once

#include "plan/diversify.hpp"
#include "streaming/conversation.hpp"
#include "streaming/streamed_ridge_omp.hpp"
#include "streaming/together.hpp"

namespace tamis {

/// Any ranking from a stream in a more diverse order, with ranks = levels: the same bits as in
/// memory. What is asked for that does not depend on the ranking, so both are asked for at once.
class StreamedDiversity : public RankingConversation {
 public:
  /// @param base what it ranks by
  /// @throws as check_diversify and LevelRanking
  StreamedDiversity(const StreamedProblem& problem, const DiversifyOptions& options,
                    std::unique_ptr<RankingConversation> base, std::uint64_t seed);

  void fit(const AnswerSpace& space) override { both_.fit(space); }
  std::vector<PassPlan> passes() const override { return both_.passes(); }
  bool is_open_ended() const override { return both_.is_open_ended(); }
  Index result_bytes() const override { return both_.result_bytes(); }
  bool wants_folder() const override { return both_.wants_folder(); }
  Index rows_liked() const override { return both_.rows_liked(); }
  void report_to(const Run& run) override { base_->report_to(run); }
  std::optional<Pass> next_pass() override { return both_.next_pass(); }
  void accept(std::unique_ptr<PassState> state) override { both_.accept(std::move(state)); }

 private:
  Ranking ranked(const Run& run) override;

  Knowledge known_;
  DiversifyOptions options_;
  std::unique_ptr<RankingConversation> base_;
  StreamedRidgeOmp levels_;
  Together both_;
};

}  // namespace tamis
