#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/flags.hpp"
#include "cli/commands/rank_by_each.hpp"
#include "cli/commands/ranking_input.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/output/output.hpp"
#include "cli/output/ranking_output.hpp"
#include "cli/output/report_file.hpp"
#include "io/formats.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

std::string rendered(const Arguments& arguments, const RankingPlan& plan, const RankingRun& run,
                     bool goes_to_stdout) {
  if (arguments.is_on("json")) return json_line(result_of(arguments, plan, run));
  if (arguments.is_on("csv")) return ranking_csv(run, run.listed);
  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  if (goes_to_stdout && screen.is_terminal)
    return ranking_table(run, screen, /*shows_all=*/arguments.has("top"));
  return ranking_text(run);
}

void rank(const Arguments& arguments) {
  if (arguments.is_on("json") && arguments.is_on("csv"))
    throw InvalidArgument("--json and --csv exclude each other");
  if (const auto columns = arguments.list(label_flag(arguments)); columns.size() > 1)
    return rank_by_each(arguments, columns);
  const RankingPlan chosen = choose_method(arguments);
  const std::string path = output_path(arguments, input_files(arguments));
  TextOutput output(path);
  ReportFile report(arguments, input_files(arguments), {{"the result", path}});
  TraceFile trace(arguments, report.and_this({{"the result", path}}));
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  RankingInput input(arguments, chosen, voice, KeepOriginal::no);
  const RankingPlan& plan = input.plan();
  const KeepTable keep = report.is_wanted() ? KeepTable::yes : KeepTable::no;
  const RankingRun run = run_ranking(arguments, plan, input.work(keep), voice, trace);
  if (!plan.wanted.is_all()) describe_removed(run, voice);
  if (report.is_wanted()) write_page(arguments, plan, run, input.page_data(run.ranking), report);
  output.write(rendered(arguments, plan, run, path.empty()));
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      top_flag(group),
      {.name = "json",
       .help = "one JSON object with scores, order, options and diagnostics",
       .group = group},
      {.name = "csv",
       .help =
           "a CSV table: rank,feature,column,score; of ensembles also draws,mean,place,place_low,"
           "place_high,best_share; with --diversify also gain,nearest,correlation; of judged "
           "features also q,part; of methods that choose a subset also fate",
       .group = group},
      format_flag(group, {"json", "csv"}),
      output_flag(group, "write the result to a file, whole or not at all (default: stdout)"),
      report_flag(group),
      trace_flag(group),
  };
}

}  // namespace

Command rank_command() {
  return {
      .name = "rank",
      .summary = "rank the features of a table",
      .description = fmt::format(
          "Ranks the features of a table, best first: a coloured table on a terminal, "
          "tab-separated text in a pipe, or JSON or CSV. FILE is {}, recognised by its content, "
          "text also gzipped; '-' is standard input. Features without a defined score come last; "
          "ties keep the order of the columns.",
          format_titles()),
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = ranking_flags(result_flags()),
      .examples = {{"tamis rank iris.csv", "rank by the default method, labels in column 'class'"},
                   {"tamis rank genes.csv --method fisher_score --diversify --top 20",
                    "another method, whose best features are put in order of what each adds"},
                   {"tamis rank genes.mat --method laplacian_score --n-neighbors 5 --top 50",
                    "the 50 best genes without any label"},
                   {"tamis rank data.csv --label-column none --constraints pairs.csv --json",
                    "from must-link and cannot-link pairs, for another program"},
                   {"tamis rank wave.csv --labels-per-class 3 --seed 1",
                    "pretend that only three rows of each class are labeled"},
                   {"tamis rank genes.csv --bagging 200 --subspace 100 --trace draws.jsonl",
                    "200 members, each on 100 random features; and what each of them drew"},
                   {"tamis rank patients.csv --label-column stage,survived --top 20",
                    "one ranking for each of two label columns, side by side"},
                   {"tamis rank cells.npy --labels few.csv --sample-rows 20000",
                    "a table larger than memory: all labeled rows and 20,000 others"},
                   {"tamis rank cells.npy --labels few.csv --memory 4G",
                    "all rows, a few thousand at a time"},
                   {"tamis rank cells.csv --report report.html", "and a page to look at"}},
      .run = rank};
}

}  // namespace tamis::cli
