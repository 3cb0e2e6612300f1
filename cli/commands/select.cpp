#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/commands/ranking_input.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/output/output.hpp"
#include "cli/output/ranking_output.hpp"
#include "cli/output/report_file.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

/// @throws InvalidArgument if nothing says how many features to keep
RankingPlan chosen_plan(const Arguments& arguments) {
  RankingPlan plan =
      choose_method(arguments, arguments.has("fdr") ? WantedFeatures{.judged = Judged::relevant}
                                                    : WantedFeatures{});
  if (!arguments.has("top") && plan.wanted.is_all() && !plan.selects_subset())
    throw InvalidArgument(
        fmt::format("select: say how many features to keep: --top K{}{}",
                    plan.counts_features() ? ", --top auto or --top relevant" : "",
                    plan.method->info.selects_subset
                        ? fmt::format("; under --bagging {} chooses none", plan.name())
                        : ""));
  return plan;
}

void select(const Arguments& arguments) {
  const RankingPlan chosen = chosen_plan(arguments);
  const std::string path = output_path(arguments, input_files(arguments));
  check_writable(path);
  ReportFile report(arguments, input_files(arguments), {{"the result", path}});
  TraceFile trace(arguments, report.and_this({{"the result", path}}));
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  RankingInput input(arguments, chosen, voice, KeepOriginal::yes);
  const Format format = output_format(path, input.format());
  input.check_writes(format, path);
  const RankingPlan& plan = input.plan();
  const RankingRun run = run_ranking(arguments, plan, input.work(KeepTable::yes), voice, trace);
  describe_removed(run, voice);
  if (report.is_wanted()) write_page(arguments, plan, run, input.page_data(run.ranking), report);
  std::vector<Index> columns = run.selected.value_or(run.ranking.order);
  if (columns.empty())
    throw DataError(
        fmt::format("select: {}, so there is nothing to write; --top K writes the K "
                    "best all the same",
                    plan.wanted.judged == Judged::backed ? "no feature adds what chance would not"
                                                         : "no feature is relevant"));
  std::ranges::sort(columns);
  input.write(path, columns, format);
  voice.say(fmt::format("{} of {} features written to {}", columns.size(), input.cols(),
                        path.empty() ? "standard output" : printable(path)));
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      top_flag(group),
      output_flag(group,
                  "the reduced table, in the format of its extension, else of the input (default: "
                  "stdout, for text formats)"),
      report_flag(group),
      trace_flag(group),
  };
}

}  // namespace

Command select_command() {
  return {
      .name = "select",
      .summary = "write the table with its best features only",
      .description =
          "Ranks the features as `tamis rank` does and writes the table with the best ones: "
          "those of --top, or without it those that --fdr allows, or that the method keeps, if it "
          "is one that chooses (csfsr, fcbf, sbcs). Values as stored (whatever --scale did for the "
          "ranking), columns in the order of the input, names, ids and labels kept. The input "
          "itself is never overwritten.",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = ranking_flags(result_flags()),
      .examples = {{"tamis select genes.csv --top 50 -o best.csv", "keep the 50 best columns"},
                   {"tamis select genes.csv --top 5% -o best.csv",
                    "one of twenty columns, rounded up"},
                   {"tamis select genes.csv --top auto -o best.csv",
                    "as many as add what chance would not"},
                   {"tamis select genes.csv --fdr 0.05 -o relevant.csv",
                    "all that are relevant, of which about one in twenty is not"},
                   {"tamis select X.mat --method fisher_score --top 10 -o best.csv",
                    "another method, and another format by the extension"},
                   {"tamis select genes.csv --method csfsr -o best.csv",
                    "a method that chooses how many to keep"}},
      .run = select};
}

}  // namespace tamis::cli
