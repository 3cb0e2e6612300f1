#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/commands/table_input.hpp"
#include "cli/console/progress_bar.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/counted.hpp"
#include "core/option_texts.hpp"
#include "prepare/condensed_problem.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/streamed_map.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

/// The options of the map.
OptionTexts map_texts(const Arguments& arguments) {
  OptionTexts texts;
  for (const OptionInfo& option : describe_options<SomOptions>())
    if (const auto text = arguments.text(flag_of(option).name)) texts[option.name] = *text;
  return texts;
}

/// A small problem, and what of a large one its rows stand for.
struct Condensed {
  OwnedProblem problem;
  Som som;
  std::vector<Index> hits;   ///< rows at each unit
  std::vector<Index> known;  ///< rows that stayed, by their numbers in the large one
  std::string label_name;
  Format format = Format::csv;

  Index n_known() const { return std::ssize(known); }
};

Condensed condense_loaded(const Arguments& arguments, const SomOptions& options,
                          const Voice& voice) {
  const LoadedProblem data = load_problem(arguments, voice, KeepOriginal::no);
  describe_data(loaded_facts(arguments, data), voice);
  ProgressBar bar(arguments, voice);
  CondensedProblem made = naming_file(arguments.operands.front(), [&] {
    return condensed_problem(data.problem, options, bar.progress());
  });
  std::vector<Index> hits(static_cast<std::size_t>(made.som.n_units()), 0);
  for (const Index unit : made.som.best_units) ++hits[unit];
  return {std::move(made.problem),        std::move(made.som),   std::move(hits),
          known_rows(data.problem.known), data.table.label_name, data.table.format};
}

Condensed condense_stream(const Arguments& arguments, const SomOptions& options, TableStream runs,
                          Index memory, const Voice& voice) {
  refuse_looks_ahead(arguments, {});
  OpenedStream stream = with_knowledge(std::move(runs), arguments, voice);
  describe_data(stream_facts(arguments, stream), voice);
  const std::uint64_t seed = seed_of(arguments);
  return naming_file(arguments.operands.front(), [&] {
    StreamedMap map(stream.problem, options, StreamedMap::Keep::nothing, seed);
    RowSource& source = *stream.table.rows;
    NamedValues choices{{"command", std::string("condense")}};
    for (auto& choice : resolved_values(options)) choices.push_back(std::move(choice));
    PlannedReading reading(
        arguments, map, source, memory,
        checkpoint_facts(TAMIS_VERSION, stream.problem, source.fingerprint(), seed, choices),
        voice);
    ProgressBar bar(arguments, voice);
    OwnedProblem small = reading.converse(map, {.seed = seed, .progress = bar.progress()});
    return Condensed{
        std::move(small),        map.som(),          map.hits(), known_rows(stream.problem.known),
        stream.table.label_name, stream.table.format};
  });
}

/// How a row is called: a known one as before, or after its number if it had no name. All are
/// texts, so that they are taken as ids again.
std::vector<std::string> ids_of(const Condensed& condensed) {
  const std::vector<std::string>& names = condensed.problem.problem().known.sample_ids;
  std::vector<std::string> ids;
  for (Index s = 0; s < condensed.n_known(); ++s)
    ids.push_back(names.empty() ? fmt::format("row {}", condensed.known[s]) : names[s]);
  for (Index u = 0; u < condensed.som.n_units(); ++u) ids.push_back(fmt::format("unit {}", u));
  return ids;
}

Table table_of(const Condensed& condensed) {
  const Problem& problem = condensed.problem.problem();
  Table table{.feature_names = problem.feature_names,
              .sample_ids = ids_of(condensed),
              .label_name = condensed.label_name.empty() ? "class" : condensed.label_name};
  table.data = empty_like(problem.matrix);
  append_rows(table.data, problem.matrix, all_indices(problem.rows()));
  if (labeled_rows(problem.known).empty()) return table;
  for (Index row = 0; row < problem.rows(); ++row) {
    const Index label = problem.known.label(row);
    table.label_texts.push_back(label == kUnlabeled ? "" : problem.known.class_names[label]);
  }
  return table;
}

/// A line for each row of the small table: how many of the large one it stands for.
std::string counts_csv(const Condensed& condensed) {
  std::string text = "id,rows\n";
  const std::vector<std::string> ids = ids_of(condensed);
  for (Index row = 0; row < std::ssize(ids); ++row)
    text += fmt::format("{},{}\n", csv_cell(ids[row]),
                        row < condensed.n_known() ? 1 : condensed.hits[row - condensed.n_known()]);
  return text;
}

void describe(const Condensed& condensed, const Voice& voice) {
  const Som& som = condensed.som;
  voice.say(fmt::format(
      "{} known and a map of {} x {} = {} units, of which {} without any row; quantization error "
      "{:.4g}",
      counted(condensed.n_known(), "row"), som.sheet_rows, som.sheet_cols, som.n_units(),
      std::ranges::count(condensed.hits, Index{0}), som.quantization_error));
  for (const std::string& warning : som.warnings) voice.warn(warning);
}

void condense_table(const Arguments& arguments) {
  const auto options = parse_options<SomOptions>("condense", map_texts(arguments));
  check_ranges("condense", options);
  const std::vector<std::string> inputs = input_files(arguments);
  const std::string path = output_path(arguments, inputs);
  check_writable(path);
  std::optional<TextOutput> counts;
  if (arguments.has("counts")) {
    const std::string counts_path = output_path(arguments, inputs, "counts");
    check_apart(arguments, {"the result", path}, {"--counts", counts_path});
    counts.emplace(counts_path);
  }
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  const Index memory = memory_of(arguments);
  const bool is_forced = arguments.has("memory") || arguments.has("checkpoint");
  auto runs = open_runs(arguments, memory, is_forced ? "--memory and --checkpoint" : "", voice);
  const Condensed condensed =
      runs ? condense_stream(arguments, options, std::move(*runs), memory, voice)
           : condense_loaded(arguments, options, voice);
  describe(condensed, voice);
  const Table table = table_of(condensed);
  deliver_table(path, table, all_indices(table.cols()), output_format(path, condensed.format));
  if (counts) counts->write(counts_csv(condensed));
}

std::vector<Flag> map_flags() {
  std::vector<Flag> flags;
  for (const OptionInfo& option : describe_options<SomOptions>()) {
    flags.push_back(flag_of(option));
    flags.back().group = "The map";
  }
  return flags;
}

}  // namespace

Command condense_command() {
  const std::string group = "The result";
  return {
      .name = "condense",
      .summary = "write a table with a map in place of the rows of which nothing is known",
      .description =
          "Writes a small table for a large one: the rows with a label or in a pair as they are, "
          "and behind them the reference vectors of a self-organizing map of all others. What "
          "looks at all rows at once then works on the small one; methods with --condense som make "
          "the same map by themselves. Rows keep their ids, or are called row 0, row 1, ... if "
          "they "
          "have none; units are called unit 0, unit 1, ...",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined(
          {map_flags(),
           {output_flag(group,
                        "the small table, in the format of its extension, else of the input "
                        "(default: stdout, for text formats)"),
            {.name = "counts",
             .takes = Takes::file,
             .value = "FILE",
             .help = "also write, as CSV, how many rows each row of the small table stands for",
             .group = group}},
           table_flags(),
           problem_flags(),
           memory_flags(),
           {threads_flag(), progress_flag()},
           general_flags()}),
      .examples = {{"tamis condense wave.csv --labels-per-class 5 --units 100 -o small.csv",
                    "15 labeled rows and a map of about 100 units"},
                   {"tamis condense cells.npy --labels labels.csv --memory 4G -o small.csv",
                    "of a table larger than memory"}},
      .run = condense_table};
}

}  // namespace tamis::cli
