#pragma once

#include <optional>

#include "clustering/som/som.hpp"
#include "plan/ranking_plan.hpp"
#include "streaming/column_ranges.hpp"
#include "streaming/conversation.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// A method that takes a map in place of the rows of which nothing is known: the first pass fetches
/// the known rows and a sample of the others, along whose axes the map begins; each epoch is a
/// pass; then the method ranks known rows and map in memory.
class CondensedRanking : public Conversation {
 public:
  /// @throws DataError if too few rows are left for a map
  CondensedRanking(RankingPlan plan, StreamedProblem problem, std::uint64_t seed);

  std::vector<PassPlan> passes() const override;
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;
  Ranking result(const Run& run) override;

 private:
  void begin_map(PassState& answer);
  Index n_replaced() const { return problem_.rows - std::ssize(known_); }

  RankingPlan plan_;
  StreamedProblem problem_;
  CondenseOptions options_;
  std::vector<Index> known_;
  std::vector<Index> sample_;  // known rows and some of the others
  std::optional<ColumnRanges> ranges_ = std::nullopt;
  std::optional<OwnedTable> kept_ = std::nullopt;  // the known rows
  Som som_;
  std::vector<double> radii_;
  std::size_t epoch_ = 0;  // the last one only measures
};

}  // namespace tamis
