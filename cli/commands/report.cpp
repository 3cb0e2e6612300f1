#include <fmt/format.h>

#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/output/output.hpp"
#include "report/html_report.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

void report(const Arguments& arguments) {
  const std::string& input = arguments.operands.front();
  TextOutput output(output_path(arguments, {input}));
  const Voice voice(arguments);
  const ResultsFile file = read_results(input);
  if (file.incomplete_from)
    voice.warn(
        fmt::format("{}: its last line is cut off and left out; the command that made the "
                    "file continues it",
                    input));
  if (file.results.runs.empty())
    throw DataError(fmt::format(
        "{}: there is no finished run yet, so there is nothing to report; the command that made "
        "the file continues it",
        input));
  const Summary summary = naming_file(input, [&] { return summarize(file.results); });
  output.write(arguments.is_on("json") ? to_json_line(file.results.facts, summary)
                                       : html_report(file.results, summary));
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .summary = "show the results of an experiment as a page",
      .description =
          "Turns a results file of `tamis evaluate` into one HTML page: accuracy against the "
          "number of features, average ranks with their critical difference, who beats whom, "
          "stability, time and memory, failures. The page works offline, prints well and reads "
          "on a phone; the numbers of every chart can be saved as CSV. Or prints the summary that "
          "`tamis evaluate --json` would.",
      .operands = {{.name = "RESULTS", .is_file = true}},
      .flags = joined({{{.name = "json",
                         .help = "the summary as one JSON object in place of the page",
                         .group = "The result"},
                        format_flag("The result", {"json"}),
                        output_flag("The result",
                                    "write the page to a file, whole or not at all (default: "
                                    "stdout)")},
                       general_flags()}),
      .examples = {{"tamis report results.jsonl -o report.html", "then open it in a browser"}},
      .run = report};
}

}  // namespace tamis::cli
