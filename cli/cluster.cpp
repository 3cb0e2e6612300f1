#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/clusterers.hpp"
#include "cli/flags.hpp"
#include "cli/listener.hpp"
#include "cli/output.hpp"
#include "cli/run_report.hpp"
#include "cli/subcommands.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

constexpr std::string_view kDefaultClusterer = "som";

/// A clustering chosen by flags, checked before any file is read.
struct ClustererChoice {
  const Clusterer* clusterer;
  OptionTexts texts = {};
  NamedValues resolved = {};
};

ClustererChoice choose_clusterer(const Arguments& arguments) {
  seed_of(arguments);
  const std::string name = arguments.text("method", kDefaultClusterer);
  ClustererChoice choice{&*std::ranges::find(clusterers(), name, &Clusterer::name)};
  for (const OptionInfo& option : choice.clusterer->options)
    if (const auto text = arguments.text(flag_name(option.name))) choice.texts[option.name] = *text;
  choice.resolved = choice.clusterer->resolve(choice.texts);
  return choice;
}

/// Where results go, known and found writable before long work begins.
struct Destinations {
  explicit Destinations(const Arguments& arguments)
      : result(output_path(arguments, input_files(arguments))) {
    if (!arguments.has("codebook")) return;
    codebook = output_path(arguments, input_files(arguments), "codebook");
    check_apart(arguments, {"the result", result}, {"--codebook", *codebook});
    output_format(*codebook, Format::csv);
    check_writable(*codebook);
  }

  std::vector<Destination> all() const {
    std::vector<Destination> places{{"the result", result}};
    if (codebook) places.push_back({"--codebook", *codebook});
    return places;
  }

  std::string result;
  std::optional<std::string> codebook = std::nullopt;
};

/// What was run on what, as the result and the trace say it.
Json run_json(const Arguments& arguments, const ClustererChoice& choice,
              const LoadedProblem& data) {
  return {{"method", choice.clusterer->name},
          {"options", options_json(choice.resolved)},
          {"seed", seed_of(arguments)},
          {"data", data_json(arguments, data)}};
}

std::string clustering_json(const Arguments& arguments, const ClustererChoice& choice,
                            const LoadedProblem& data, const std::vector<Index>& rows,
                            const ClusteringResult& result, double seconds) {
  Json object = {{"schema", "tamis/clustering/1"}, {"version", TAMIS_VERSION}};
  object.update(run_json(arguments, choice, data));
  object["names"] = data.problem.feature_names;
  object["rows"] = rows;
  Json ids = nullptr;
  if (!data.problem.sample_ids.empty()) {
    ids = Json::array();
    for (const Index row : rows) ids.push_back(data.problem.sample_ids[row]);
  }
  object["ids"] = std::move(ids);
  result.add_to(object);
  object["warnings"] = result.warnings();
  object["seconds"] = seconds;
  object["peak_memory_bytes"] = peak_memory_bytes();
  return json_line(object);
}

std::unique_ptr<ClusteringResult> run_clusterer(const Arguments& arguments,
                                                const ClustererChoice& choice, LoadedProblem& data,
                                                const std::vector<Index>& rows, const Voice& voice,
                                                TraceFile& trace) {
  trace.begin(run_json(arguments, choice, data));
  const Listener listener(data.problem, arguments, voice, trace);
  auto result = naming_file(arguments.operands.front(), [&] {
    return choice.clusterer->run(data.problem, rows, choice.texts);
  });
  trace.commit();
  return result;
}

void describe_result(const ClustererChoice& choice, const ClusteringResult& result,
                     const Voice& voice) {
  voice.say(fmt::format("{}: {}", styled(voice.screen(), "1", choice.clusterer->name),
                        choice.clusterer->title));
  for (const std::string& line : result.summary()) voice.say(line);
  for (const std::string& warning : result.warnings()) voice.warn(warning);
}

void cluster(const Arguments& arguments) {
  const ClustererChoice choice = choose_clusterer(arguments);
  const Destinations to(arguments);
  TextOutput output(to.result);
  TraceFile trace(arguments, to.all());
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  describe_command(arguments, choice.resolved, voice);
  LoadedProblem data = load_problem(arguments, voice, KeepOriginal::no);
  describe_data(arguments, data, voice);
  const std::vector<Index> rows = arguments.text("rows") == "unlabeled"
                                      ? unlabeled_rows(data.problem)
                                      : all_rows(data.problem.rows());
  const Stopwatch watch;
  const auto result = run_clusterer(arguments, choice, data, rows, voice, trace);
  const double seconds = watch.seconds();
  describe_result(choice, *result, voice);
  describe_cost(seconds, voice);

  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  if (arguments.is_on("json"))
    output.write(clustering_json(arguments, choice, data, rows, *result, seconds));
  else if (to.result.empty() && screen.is_terminal)
    output.write(result->picture(screen));
  else
    output.write(result->csv());
  if (to.codebook)
    deliver_table(*to.codebook, result->centers(), all_rows(data.problem.cols()),
                  output_format(*to.codebook, Format::csv));
}

std::vector<Flag> clusterer_flags() {
  std::vector<std::string> names;
  for (const Clusterer& clusterer : clusterers()) names.emplace_back(clusterer.name);
  std::vector<Flag> flags{{.name = "method",
                           .letter = 'm',
                           .takes = Takes::word,
                           .value = "NAME",
                           .help = fmt::format("how to cluster (default: {})", kDefaultClusterer),
                           .group = "Method",
                           .words = names}};
  for (const Clusterer& clusterer : clusterers())
    for (const OptionInfo& option : clusterer.options) {
      flags.push_back(flag_of(option));
      flags.back().group = fmt::format("Options of {}", clusterer.name);
    }
  return flags;
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      {.name = "rows",
       .takes = Takes::word,
       .value = "WORD",
       .help = "which rows to cluster: all, or the unlabeled ones (default: all)",
       .group = group,
       .words = {"all", "unlabeled"}},
      {.name = "json",
       .help = "one JSON object with codebook, map, units of rows, hits and U-matrix",
       .group = group},
      {.name = "codebook",
       .takes = Takes::file,
       .value = "FILE",
       .help = "also write the reference vectors as a table, in the format of the extension, else "
               "CSV",
       .group = group},
      output_flag(group, "write the result to a file, whole or not at all (default: stdout)"),
      trace_flag(group),
  };
}

}  // namespace

const std::vector<Clusterer>& clusterers() {
  static const std::vector<Clusterer> all{som_clusterer()};
  return all;
}

Command cluster_command() {
  return {
      .name = "cluster",
      .summary = "cluster the rows of a table",
      .description =
          "Clusters the rows of a table: a picture on a terminal; elsewhere CSV with a line "
          "per row, or JSON. The self-organizing map (som) is the one that --condense som uses: "
          "units on a hexagonal sheet, each with a reference vector; its U-matrix, the "
          "distances between neighbouring units, shows clusters as light areas between dark "
          "borders.",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined({clusterer_flags(),
                       result_flags(),
                       table_flags(),
                       without({"constraints", "close-constraints"}, problem_flags()),
                       {threads_flag(), progress_flag()},
                       general_flags()}),
      .examples = {{"tamis cluster wave.csv --scale standard", "look at the map"},
                   {"tamis cluster wave.csv --units 100 --codebook units.csv -o map.csv",
                    "the unit of each row, and the vectors of the units"}},
      .run = cluster};
}

}  // namespace tamis::cli
