#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/load.hpp"
#include "cli/run_report.hpp"
#include "cli/trace_file.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/ensembles/bagging.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::cli {

/// What --top says: a number, or nothing ("all", or not given).
std::optional<Index> wanted_features(const Arguments& arguments);

/// A method chosen by flags, checked before any file is read.
struct MethodChoice {
  const Method* method = nullptr;
  OptionTexts texts = {};
  NamedValues resolved = {};
  std::optional<BaggingOptions> bagging = std::nullopt;

  /// The subsets of members are not kept.
  bool selects_subset() const { return method->info.selects_subset && !bagging; }
};
/// @throws InvalidArgument for anything wrong with the method, its options, --bagging and what
/// belongs to it, --top or --seed
MethodChoice choose_method(const Arguments& arguments);

/// One method run on one problem, and what it took.
struct RankingRun {
  LoadedProblem data;
  Ranking ranking;
  std::optional<std::vector<Index>> selected;  ///< best first: --top, or the method's own subset
  std::vector<Index> listed;                   ///< for tables: --top, or every feature in order
  double seconds = 0.0;                        ///< of the method, reading excluded
};

/// Ranks the features of a loaded problem and finishes the trace; tells people what it sees and
/// what the method noticed.
RankingRun run_ranking(const Arguments& arguments, const MethodChoice& choice, LoadedProblem data,
                       const Voice& voice, TraceFile& trace);

/// What was run on what, as the result and the trace say it.
Json run_json(const Arguments& arguments, const MethodChoice& choice, const LoadedProblem& data);

}  // namespace tamis::cli
