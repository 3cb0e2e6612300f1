#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/commands/table_input.hpp"
#include "cli/output/output.hpp"
#include "core/counted.hpp"
#include "io/formats.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

/// Rows of a table that is read in runs: larger blocks are read no faster.
Index rows_at_once(const RowSource& source, Index memory) {
  constexpr Index kLargestBlock = Index{32} << 20;
  constexpr Index kBlocks = 4;  // what is read, what is written, and what reading takes besides
  const Index bytes = std::min(kLargestBlock, memory / kBlocks);
  const Index unit = std::max<Index>(1, source.rows_at_once());
  return std::min(std::max(unit, bytes / source.bytes_per_row() / unit * unit), source.rows());
}

void describe(Index rows, Index cols, const std::string& target, const Format& format,
              const Voice& voice) {
  voice.say(fmt::format("{} x {} written to {} as {}", counted(rows, "row"),
                        counted(cols, "feature"),
                        target.empty() ? "standard output" : printable(target), format.name));
}

/// Writes a table that does not fit into memory, or is to be read in runs of rows.
/// @returns whether it is such a table, and the format of the target takes rows one after the other
bool convert_runs(const Arguments& arguments, const std::string& target, const Voice& voice) {
  const Index memory = memory_of(arguments);
  const std::string_view forced_by = arguments.has("memory") ? "--memory" : "";
  const Format wanted = output_format(target, Format::csv);
  const auto write_stream = find_format(wanted).write_stream;
  if (target.empty() || write_stream == nullptr) {
    if (!forced_by.empty())
      throw InvalidArgument(
          "--memory is for tables that are written as NPY, a run of rows after "
          "the other: -o FILE.npy");
    return false;
  }
  auto runs = open_runs(arguments, memory, forced_by, voice);
  if (!runs) return false;
  voice.notes(name_of_input(arguments.operands.front()), runs->notes);
  const Index cols = runs->rows->cols();
  naming_file(arguments.operands.front(), [&] {
    write_stream(target, *runs, all_indices(cols), rows_at_once(*runs->rows, memory));
  });
  describe(runs->rows->rows(), cols, target, wanted, voice);
  return true;
}

void convert(const Arguments& arguments) {
  const std::string& path = arguments.operands.front();
  const std::string target = output_path(arguments, input_files(arguments));
  check_writable(target);
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  if (convert_runs(arguments, target, voice)) return;
  Table table = read_input(path, arguments, voice);
  take_label_file(table, arguments, voice);
  const Format format = output_format(target, table.format);
  deliver_table(target, table, all_indices(table.cols()), format);
  describe(table.rows(), table.cols(), target, format, voice);
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
           memory_flags(Readings::one),
           {threads_flag()},
           general_flags()}),
      .examples =
          {{"tamis convert genes.txt --transpose -o genes.npy",
            "genes as columns, as the other commands want them"},
           {"tamis convert export.csv --labels patients.tsv --label-column stage -o all.csv",
            "one tidy table from two files"},
           {"tamis convert cells.csv.gz --memory 4G --spill . -o cells.npy",
            "a table larger than memory, for commands that read runs of rows"}},
      .run = convert};
}

}  // namespace tamis::cli
