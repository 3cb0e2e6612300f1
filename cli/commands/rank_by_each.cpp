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
  if (arguments.operands.front() == "-" && !ranks_whole_table(arguments))
    throw InvalidArgument(
        "rank: in runs of rows, standard input can be read for one label column only");
}

/// The command line for one of the columns: those that the table has are no features.
Arguments for_column(const Arguments& arguments, const std::vector<std::string>& columns,
                     const std::string& column) {
  Arguments one = arguments.with(label_flag(arguments), column);
  if (arguments.has("labels")) return one;
  std::vector<std::string> dropped = arguments.list("drop");
  std::ranges::copy_if(columns, std::back_inserter(dropped),
                       [&](const std::string& other) { return other != column; });
  return one.with("drop", fmt::format("{}", fmt::join(dropped, ",")));
}

/// Calls open(voice) for the input.
template <class Open>
NamedRun ranked(const Arguments& arguments, const std::string& column, const Open& open) {
  const Voice voice(arguments);
  voice.say(fmt::format("by {}:", printable(column)));
  TraceFile trace(arguments, {});
  RankingInput& input = open(voice);
  RankingRun run = run_ranking(arguments, input.plan(), input.work(KeepTable::yes), voice, trace);
  std::string json = json_line(result_of(arguments, input.plan(), run));
  return {.column = column, .run = std::move(run), .json = std::move(json)};
}

/// Reads the table for each column anew: in runs of rows it is never in memory.
std::vector<NamedRun> each_by_itself(const Arguments& arguments,
                                     const std::vector<std::string>& columns,
                                     const RankingPlan& chosen) {
  std::vector<NamedRun> runs;
  for (const std::string& column : columns) {
    const Arguments one = for_column(arguments, columns, column);
    std::optional<RankingInput> input;
    runs.push_back(ranked(one, column, [&](const Voice& voice) -> RankingInput& {
      return input.emplace(one, chosen, voice, KeepOriginal::no);
    }));
  }
  return runs;
}

/// Whether ranking leaves a table as it was read.
bool leaves_table(const Arguments& arguments) {
  return missing_of(arguments) == Missing::refuse && scale_of(arguments) == ScalingKind::none;
}

/// Reads the table once, with all columns of labels that are its own.
std::vector<NamedRun> all_of_one_table(const Arguments& arguments,
                                       const std::vector<std::string>& columns,
                                       const RankingPlan& chosen) {
  const std::string& path = arguments.operands.front();
  const Arguments first = arguments.with(label_flag(arguments), columns.front());
  ReadOptions options = read_options(first);
  const bool has_own = !arguments.has("labels");
  if (has_own) options.other_labels.assign(columns.begin() + 1, columns.end());
  Table table = read_input(path, options, first, Voice(arguments));
  std::vector<NamedRun> runs;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0 && has_own) {
      table.label_name = std::move(table.other_labels[k - 1].name);
      table.label_texts = std::move(table.other_labels[k - 1].texts);
    }
    const Arguments one = for_column(arguments, columns, columns[k]);
    const bool is_needed = k + 1 < columns.size() && !leaves_table(arguments);
    std::optional<RankingInput> input;
    runs.push_back(ranked(one, columns[k], [&](const Voice& voice) -> RankingInput& {
      return input.emplace(one, chosen, voice, is_needed ? table : std::move(table));
    }));
    if (!is_needed) table = input->take_table();
  }
  return runs;
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

/// What stands above the cells of a ranking.
std::vector<std::string> titles_of(const NamedRun& one) {
  std::vector<std::string> titles{one.column, one.column + " score"};
  if (one.run.ranking.relevance)
    titles.insert(titles.end(), {one.column + " q", one.column + " part"});
  return titles;
}

/// Name and score of the feature at a place of a ranking, and what it was judged to be; nothing
/// behind its end.
std::vector<std::string> cells_at(const RankingRun& run, std::size_t place, bool is_csv) {
  const auto& relevance = run.ranking.relevance;
  if (place >= run.listed.size()) return std::vector<std::string>(relevance ? 4 : 2);
  const auto number = [&](double value) {
    return std::isnan(value) ? (is_csv ? "" : "undefined") : fmt::format("{}", value);
  };
  const Index feature = run.listed[place];
  const std::string& name = run.names[feature];
  std::vector<std::string> cells{is_csv ? csv_cell(name) : printable(name),
                                 number(run.ranking.scores[feature])};
  if (relevance) {
    cells.push_back(number(relevance->q[feature]));
    cells.emplace_back(relevance->part[feature] ? word_of(*relevance->part[feature]) : "");
  }
  return cells;
}

std::string lines_of(const std::vector<NamedRun>& runs, bool is_csv) {
  const std::string_view separator = is_csv ? "," : "\t";
  std::vector<std::string> cells{"rank"};
  std::size_t longest = 0;
  for (const NamedRun& one : runs) {
    for (const std::string& title : titles_of(one))
      cells.push_back(is_csv ? csv_cell(title) : printable(title));
    longest = std::max(longest, one.run.listed.size());
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
  const std::vector<NamedRun> runs = ranks_whole_table(arguments)
                                         ? all_of_one_table(arguments, columns, chosen)
                                         : each_by_itself(arguments, columns, chosen);
  output.write(arguments.is_on("json") ? json_of(runs) : lines_of(runs, arguments.is_on("csv")));
}

}  // namespace tamis::cli
