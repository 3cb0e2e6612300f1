#include <fmt/format.h>

#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/output/output.hpp"
#include "core/counted.hpp"
#include "io/formats.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

void convert(const Arguments& arguments) {
  const std::string& path = arguments.operands.front();
  const std::string target = output_path(arguments, input_files(arguments));
  check_writable(target);
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  Table table = read_input(path, arguments, voice);
  take_label_file(table, arguments, voice);
  const Format format = output_format(target, table.format);
  deliver_table(target, table, all_indices(table.cols()), format);
  voice.say(fmt::format("{} x {} written to {} as {}", counted(table.rows(), "row"),
                        counted(table.cols(), "feature"),
                        target.empty() ? "standard output" : printable(target), format.name));
}

}  // namespace

Command convert_command() {
  const std::string group = "The result";
  return {
      .name = "convert",
      .summary = "write a table in another format",
      .description = fmt::format(
          "Reads a table as the other commands do and writes it in the format of the output's "
          "extension: {}. Labels and ids are kept where the format has a place for them; missing "
          "values stay missing.",
          format_titles()),
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined(
          {{output_flag(group,
                        "the table, in the format of its extension, else of the input (default: "
                        "stdout, for text formats)")},
           table_flags(),
           {threads_flag()},
           general_flags()}),
      .examples =
          {{"tamis convert genes.txt --transpose -o genes.npy",
            "genes as columns, as the other commands want them"},
           {"tamis convert export.csv --labels patients.tsv --label-column stage -o all.csv",
            "one tidy table from two files"}},
      .run = convert};
}

}  // namespace tamis::cli
