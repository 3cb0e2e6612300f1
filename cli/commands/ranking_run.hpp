#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cli/commands/method_choice.hpp"
#include "cli/console/run_report.hpp"
#include "cli/console/trace_file.hpp"
#include "results/ranking_result.hpp"

namespace tamis::cli {

/// What is to be done: a table as people see it, and who ranks its features.
struct RankingWork {
  ProblemFacts facts;
  std::vector<std::string> names;  ///< of the features
  std::vector<Index> groups;       ///< of those that stand for one (Problem::feature_groups)
  std::function<Ranking(const Run&)> rank;
};

/// One method run on one problem, and what it took.
struct RankingRun {
  ProblemFacts facts;
  std::vector<std::string> names;
  Ranking ranking;
  std::optional<std::vector<Index>> selected;  ///< best first: --top, or the method's own subset
  std::vector<Index> listed;                   ///< for tables: --top, or every feature in order
  double seconds = 0.0;                        ///< of the method, reading excluded
};

/// Ranks the features and finishes the trace; tells people what it sees and what the method
/// noticed.
RankingRun run_ranking(const Arguments& arguments, const RankingPlan& plan, RankingWork work,
                       const Voice& voice, TraceFile& trace);

/// Says which features were removed and why, for where no table lists them.
void describe_removed(const RankingRun& run, const Voice& voice);

/// The ranking as other programs and reports see it.
RankingResult result_of(const Arguments& arguments, const RankingPlan& plan, const RankingRun& run);

}  // namespace tamis::cli
