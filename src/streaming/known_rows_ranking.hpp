#pragma once

#include <optional>

#include "plan/ranking_plan.hpp"
#include "streaming/column_ranges.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// A method that looks at no row but those that are known, in one pass: it ranks them in memory,
/// together with two rows of which nothing is known and that stand for all others, as they have the
/// least and the largest value of each column. The same bits as on the whole table.
class KnownRowsRanking : public RankingConversation {
 public:
  /// @throws DataError if pairs contradict
  KnownRowsRanking(RankingPlan plan, StreamedProblem problem);

  std::vector<PassPlan> passes() const override;
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

 private:
  Ranking ranked(const Run& run) override;

  RankingPlan plan_;
  StreamedProblem problem_;
  std::vector<Index> rows_;
  std::optional<OwnedTable> table_ = std::nullopt;
};

}  // namespace tamis
