#pragma once

#include <optional>

#include "clustering/som/som.hpp"
#include "prepare/owned_problem.hpp"
#include "streaming/column_ranges.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// A map of the rows of which nothing is known: the first pass fetches the known rows and a sample
/// of the others, along whose axes the map begins; each epoch is a pass; the last one measures.
class StreamedMap : public Conversation {
 public:
  enum class Keep { nothing, units_of_rows };

  /// @throws DataError if too few rows are left for a map
  StreamedMap(StreamedProblem problem, const SomOptions& options, Keep keep, std::uint64_t seed);

  std::vector<PassPlan> passes() const override;
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

  /// Once all is known: the map, with the units of unknown rows if they are to be kept,
  const Som& som() const { return som_; }
  /// how many rows are at each unit,
  const std::vector<Index>& hits() const { return hits_; }
  /// and the known rows with the units behind them.
  OwnedProblem result(const Run& run) const;

  const StreamedProblem& problem() const { return problem_; }
  Index most_rows() const { return std::ssize(known_) + most_units(n_replaced(), options_); }

 private:
  void begin(PassState& answer);
  Index n_replaced() const { return problem_.rows - std::ssize(known_); }

  StreamedProblem problem_;
  SomOptions options_;
  Keep keep_;
  std::vector<Index> known_;
  std::vector<Index> sample_;  // known rows and some of the others
  std::optional<ColumnRanges> ranges_ = std::nullopt;
  std::optional<OwnedTable> kept_ = std::nullopt;  // the known rows
  Som som_;
  std::vector<Index> hits_;
  std::vector<double> radii_;
  std::size_t epoch_ = 0;  // the last one only measures
};

}  // namespace tamis
