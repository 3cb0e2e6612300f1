#pragma once

#include "plan/ranking_plan.hpp"
#include "streaming/conversation.hpp"
#include "streaming/streamed_map.hpp"

namespace tamis {

/// A method that takes a map in place of the rows of which nothing is known, and ranks known rows
/// and map in memory.
class CondensedRanking : public RankingConversation {
 public:
  /// @throws DataError if too few rows are left for a map
  CondensedRanking(RankingPlan plan, StreamedProblem problem, std::uint64_t seed);

  std::vector<PassPlan> passes() const override { return map_.passes(); }
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override { return map_.next_pass(); }
  void accept(std::unique_ptr<PassState> state) override { map_.accept(std::move(state)); }

 private:
  Ranking ranked(const Run& run) override;

  RankingPlan plan_;
  StreamedMap map_;
};

}  // namespace tamis
