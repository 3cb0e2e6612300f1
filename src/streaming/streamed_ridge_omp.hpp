#pragma once

#include "methods/ridge_omp/level_ranking.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// ridge_omp with ranks = levels in four passes (scan, levels, products, shares), five where
/// columns are judged by the table, and further ones where levels are hard to tell apart or memory
/// is short: the same bits as in memory.
class StreamedRidgeOmp : public RankingConversation {
 public:
  /// @param asker in whose name it refuses
  StreamedRidgeOmp(StreamedProblem problem, const RidgeOmpOptions& options, std::uint64_t seed,
                   const MethodInfo& asker = RidgeOmpOptions::info);

  void fit(const AnswerSpace& space) override;
  std::vector<PassPlan> passes() const override;
  Index result_bytes() const override;
  bool wants_folder() const override;
  Index rows_liked() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

  /// For whoever makes something else of the answers.
  LevelRanking& levels() { return ranking_; }

 private:
  Ranking ranked(const Run& run) override { return ranking_.result(run, problem_.feature_names); }
  Index question_bytes(LevelRanking::Asks question) const;
  Index sparse_bytes() const;
  Index products_bytes() const;
  Index known_bytes() const;

  StreamedProblem problem_;
  LevelRanking ranking_;
  AnswerSpace space_ = {};
  LevelDivision division_ = {};
};

}  // namespace tamis
