#pragma once

#include <memory>
#include <optional>

#include "cli/commands/ranking_run.hpp"
#include "cli/commands/table_input.hpp"
#include "cli/output/ranking_output.hpp"

namespace tamis::cli {

/// Whether a table is wanted after its features are ranked.
enum class KeepTable { no, yes };

/// A table whose features are to be ranked: in memory, or in runs of rows because it does not fit
/// there or --memory says how much there is, or a sample of its rows (--sample-rows).
class RankingInput {
 public:
  /// Says how it is read.
  /// @throws InvalidArgument if the plan needs all rows in memory and they do not fit
  RankingInput(const Arguments& arguments, const RankingPlan& plan, const Voice& voice,
               KeepOriginal keep);

  /// Of a table that was read already.
  RankingInput(const Arguments& arguments, const RankingPlan& plan, const Voice& voice,
               Table table);

  Index cols() const;
  Format format() const;
  /// The plan that the table makes of the given one: for so many features, and for runs of rows if
  /// it is read so.
  const RankingPlan& plan() const { return plan_; }
  /// Without the table, when it is done, nothing but facts may be asked.
  RankingWork work(KeepTable keep);
  /// What a page shows of it beside a ranking of its features.
  PageData page_data(const Ranking& ranking) const;

  /// The table as it is, which goes with it: nothing else may be asked then.
  Table take_table() { return std::move(loaded_->table); }

  /// @throws InvalidArgument if columns of it cannot be written in that format
  void check_writes(Format wanted, const std::string& path) const;
  /// Writes columns of all its rows, as stored.
  void write(const std::string& path, std::span<const Index> columns, Format wanted);

 private:
  void read(const Voice& voice, KeepOriginal keep);
  void take_sample(const Voice& voice, KeepOriginal keep);
  void begin_conversation(const Voice& voice);
  ProblemFacts facts() const;
  Ranking converse_with_stream(const Run& run);

  const Arguments& arguments_;
  RankingPlan plan_;
  std::optional<LoadedProblem> loaded_;  // all rows or a sample of them
  std::optional<OpenedStream> stream_;   // all rows
  Index memory_;                         // that the process may hold
  std::unique_ptr<RankingConversation> conversation_;
  std::vector<std::string> warnings_;  // of what runs of rows change
  std::optional<PlannedReading> reading_;
  Index rows_at_once_ = 0;
};

/// Whether a command line makes it read the whole table into memory, as can be told without a look
/// into that.
bool ranks_whole_table(const Arguments& arguments);

/// Of commands that rank the features of one table. @param result what they do with the ranking
std::vector<Flag> ranking_flags(const std::vector<Flag>& result);

}  // namespace tamis::cli
