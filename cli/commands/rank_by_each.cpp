#include "cli/commands/rank_by_each.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/commands/ranking_input.hpp"
#include "cli/output/output.hpp"
#include "results/json.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

/// A ranking by one label column, and that as other programs see it.
struct NamedRun {
  std::string column;
  RankingRun run;
  std::string json;
};

void check(const Arguments& arguments) {
  for (const char* const flag : {"report", "trace"})
    if (arguments.has(flag))
      throw InvalidArgument(
          fmt::format("rank: --{} is about one label column: give --label-column one", flag));
  if (arguments.operands.front() == "-")
    throw InvalidArgument("rank: standard input can be read for one label column only");
}

/// The command line for one of the columns: those that the table has are no features.
Arguments for_column(const Arguments& arguments, const std::vector<std::string>& columns,
                     const std::string& column) {
  const Arguments one = arguments.with("label-column", column);
  if (arguments.has("labels")) return one;
  std::vector<std::string> dropped = arguments.list("drop");
  std::ranges::copy_if(columns, std::back_inserter(dropped),
                       [&](const std::string& other) { return other != column; });
  return one.with("drop", fmt::format("{}", fmt::join(dropped, ",")));
}

NamedRun ranked(const Arguments& arguments, const std::string& column, const RankingPlan& chosen) {
  const Voice voice(arguments);
  voice.say(fmt::format("by {}:", printable(column)));
  TraceFile trace(arguments, {});
  RankingInput input(arguments, chosen, voice, KeepOriginal::no);
  const RankingPlan plan = for_features(chosen, input.cols());
  RankingRun run = run_ranking(arguments, plan, input.work(plan), voice, trace);
  std::string json = json_line(result_of(arguments, plan, run));
  return {.column = column, .run = std::move(run), .json = std::move(json)};
}

std::string json_of(const std::vector<NamedRun>& runs) {
  std::vector<std::string> rankings;
  for (const auto& [column, run, json] : runs) {
    const std::string members = json.substr(1, json.find_last_not_of('\n'));
    rankings.push_back(fmt::format("{{\"label_column\":{},{}", Json(column).dump(), members));
  }
  return fmt::format("{{\"schema\":\"tamis/rankings/1\",\"rankings\":[{}]}}\n",
                     fmt::join(rankings, ","));
}

/// Name and score of the feature at a place of a ranking; nothing behind its end.
std::vector<std::string> cells_at(const RankingRun& run, std::size_t place, bool is_csv) {
  if (place >= run.listed.size()) return {"", ""};
  const Index feature = run.listed[place];
  const double score = run.ranking.scores[feature];
  const std::string& name = run.names[feature];
  return {is_csv ? csv_cell(name) : printable(name),
          std::isnan(score) ? (is_csv ? "" : "undefined") : fmt::format("{}", score)};
}

std::string lines_of(const std::vector<NamedRun>& runs, bool is_csv) {
  const std::string_view separator = is_csv ? "," : "\t";
  std::vector<std::string> cells{"rank"};
  std::size_t longest = 0;
  for (const auto& [column, run, json] : runs) {
    const std::string title = is_csv ? csv_cell(column) : printable(column);
    const std::string score = column + " score";
    cells.insert(cells.end(), {title, is_csv ? csv_cell(score) : printable(score)});
    longest = std::max(longest, run.listed.size());
  }
  std::string text = fmt::format("{}\n", fmt::join(cells, separator));
  for (std::size_t place = 0; place < longest; ++place) {
    cells = {std::to_string(place + 1)};
    for (const NamedRun& one : runs)
      for (std::string& cell : cells_at(one.run, place, is_csv)) cells.push_back(std::move(cell));
    text += fmt::format("{}\n", fmt::join(cells, separator));
  }
  return text;
}

}  // namespace

void rank_by_each(const Arguments& arguments, const std::vector<std::string>& columns) {
  check(arguments);
  const RankingPlan chosen = choose_method(arguments);
  TextOutput output(output_path(arguments, input_files(arguments)));
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  std::vector<NamedRun> runs;
  for (const std::string& column : columns)
    runs.push_back(ranked(for_column(arguments, columns, column), column, chosen));
  output.write(arguments.is_on("json") ? json_of(runs) : lines_of(runs, arguments.is_on("csv")));
}

}  // namespace tamis::cli
