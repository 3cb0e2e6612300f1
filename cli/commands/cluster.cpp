#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/clustering_choice.hpp"
#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/commands/table_input.hpp"
#include "cli/console/listener.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/clustering_output.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/peak_memory.hpp"
#include "results/json_fields.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/streamed_clustering.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

/// The flag that asks for the centroids, if one does: it has two names.
std::optional<std::string> centroids_flag(const Arguments& arguments) {
  if (arguments.has("centroids") && arguments.has("codebook"))
    throw InvalidArgument("--centroids and --codebook are two names of one flag: give one of them");
  if (arguments.has("centroids")) return "centroids";
  if (arguments.has("codebook")) return "codebook";
  return std::nullopt;
}

/// Where results go, known and found writable before long work begins.
struct Destinations {
  explicit Destinations(const Arguments& arguments)
      : result(output_path(arguments, input_files(arguments))) {
    const auto flag = centroids_flag(arguments);
    if (!flag) return;
    centroids = output_path(arguments, input_files(arguments), *flag);
    centroids_name = "--" + *flag;
    check_apart(arguments, {"the result", result}, {centroids_name, *centroids});
    output_format(*centroids, Format::csv);
    check_writable(*centroids);
  }

  std::vector<Destination> all() const {
    std::vector<Destination> places{{"the result", result}};
    if (centroids) places.push_back({centroids_name, *centroids});
    return places;
  }

  std::string result;
  std::optional<std::string> centroids = std::nullopt;
  std::string centroids_name = {};
};

/// The table whose rows are clustered: in memory, or in runs of rows.
struct ClusterInput {
  ClusterInput(const Arguments& arguments, const Voice& voice) : memory(memory_of(arguments)) {
    const bool is_forced = arguments.has("memory") || arguments.has("checkpoint");
    if (auto runs =
            open_runs(arguments, memory, is_forced ? "--memory and --checkpoint" : "", voice))
      stream = with_knowledge(std::move(*runs), arguments, voice);
    else
      loaded = load_problem(arguments, voice, KeepOriginal::no);
  }

  ProblemFacts facts(const Arguments& arguments) const {
    return loaded ? loaded_facts(arguments, *loaded) : stream_facts(arguments, *stream);
  }
  ClusteredTable table() const {
    if (loaded)
      return {loaded->problem.rows(), loaded->problem.cols(), loaded->problem.feature_names,
              loaded->problem.known, loaded->true_labels};
    return {stream->problem.rows, stream->problem.cols, stream->problem.feature_names,
            stream->problem.known, stream->true_labels};
  }

  Index memory;  // that the process may hold
  std::optional<LoadedProblem> loaded = std::nullopt;
  std::optional<OpenedStream> stream = std::nullopt;
};

/// What was run on what, as the result and the trace say it.
Json run_json(const Arguments& arguments, const ClusteringChoice& choice,
              const ProblemFacts& facts) {
  return {{"method", choice.method->info.name},
          {"options", json_of(choice.resolved, Form::object)},
          {"init", json_of(arguments.text("init"))},
          {"init_weights", json_of(arguments.text("init-weights"))},
          {"seed", seed_of(arguments)},
          {"data", json_of(facts)}};
}

std::string clustering_json(const Arguments& arguments, const ClusteringChoice& choice,
                            const ProblemFacts& facts, const ClusteringOutcome& outcome,
                            const ClusteringResult& result, double seconds) {
  const ClusteredTable& table = outcome.table;
  Json object = {{"schema", "tamis/clustering/1"}, {"version", TAMIS_VERSION}};
  object.update(run_json(arguments, choice, facts));
  object["names"] = table.feature_names;
  object["rows"] = outcome.rows;
  Json ids = nullptr;
  if (!table.known.sample_ids.empty()) {
    ids = Json::array();
    for (const Index row : outcome.rows) ids.push_back(table.known.sample_ids[row]);
  }
  object["ids"] = std::move(ids);
  result.add_to(object);
  object["warnings"] = outcome.run.clustering.warnings;
  object["seconds"] = seconds;
  object["peak_memory_bytes"] = peak_memory_bytes();
  return json_line(object);
}

ClusterGiven given_by(const Arguments& arguments, const ClusteringChoice& choice,
                      const ClusteredTable& table, const StartFiles& files) {
  ClusterGiven given;
  if (arguments.text("rows") == "unlabeled") {
    given.rows = all_indices(table.rows);
    std::erase_if(*given.rows, [&](Index row) { return table.known.label(row) != kUnlabeled; });
  }
  if (files.centroids)
    given.start = start_of(arguments, files, choice.method->info.learns, *wanted_clusters(choice),
                           table.feature_names);
  return given;
}

/// A clustering in as many passes as it takes.
class StreamedRun {
 public:
  /// Says how often the table is read.
  StreamedRun(const Arguments& arguments, const ClusteringChoice& choice, ClusterInput& input,
              const ClusterGiven& given, const Voice& voice)
      : conversation_(begin(arguments, choice, input, given)),
        completed_([&choice, cols = input.stream->problem.cols](Clustering found) {
          return choice.method->completed(std::move(found), choice.texts, cols);
        }),
        reading_(arguments, *conversation_, *input.stream->table.rows, input.memory,
                 facts(arguments, choice, input, given), voice) {}

  ClusteringRun operator()(const Run& run) {
    ClusteringRun done = completed_(reading_.converse(*conversation_, run));
    done.map = conversation_->map();
    return done;
  }

 private:
  static std::unique_ptr<ClusteringConversation> begin(const Arguments& arguments,
                                                       const ClusteringChoice& choice,
                                                       const ClusterInput& input,
                                                       const ClusterGiven& given) {
    const ClustererInfo& info = choice.method->info;
    refuse_looks_ahead(arguments, {});
    if (!info.streams)
      throw InvalidArgument(fmt::format(
          "{} looks at all rows at once, and they do not fit into {} of memory; {} read them a run "
          "at a time, and tamis condense makes a smaller table",
          info.name, bytes_text(input.memory), users_of("memory")));
    return streamed_clustering(info.name, choice.texts, input.stream->problem, given,
                               seed_of(arguments));
  }

  static Checkpoint::Facts facts(const Arguments& arguments, const ClusteringChoice& choice,
                                 const ClusterInput& input, const ClusterGiven& given) {
    NamedValues choices{{"method", std::string(choice.method->info.name)}};
    choices.insert(choices.end(), choice.resolved.begin(), choice.resolved.end());
    choices.emplace_back("set of rows (--rows)", arguments.text("rows", "all"));
    if (given.start) {
      choices.emplace_back("start (--init)", digest(given.start->centroids));
      choices.emplace_back("start (--init-weights)", digest(given.start->weights));
    }
    return checkpoint_facts(TAMIS_VERSION, input.stream->problem,
                            input.stream->table.rows->fingerprint(), seed_of(arguments), choices);
  }

  std::unique_ptr<ClusteringConversation> conversation_;
  std::function<ClusteringRun(Clustering)> completed_;
  PlannedReading reading_;
};

/// How to run it, with whatever there is to say before.
std::function<ClusteringRun(const Run&)> planned_run(const Arguments& arguments,
                                                     const ClusteringChoice& choice,
                                                     ClusterInput& input, const ClusterGiven& given,
                                                     const Voice& voice) {
  if (input.loaded)
    return [&](const Run& run) {
      return choice.method->run(input.loaded->problem, choice.texts, given, run);
    };
  auto streamed = std::make_shared<StreamedRun>(arguments, choice, input, given, voice);
  return [streamed](const Run& run) { return (*streamed)(run); };
}

ClusteringOutcome run_clustering(const Arguments& arguments, const ClusteringChoice& choice,
                                 ClusterInput& input, const ClusterGiven& given, const Voice& voice,
                                 TraceFile& trace) {
  const auto cluster = naming_file(arguments.operands.front(), [&] {
    return planned_run(arguments, choice, input, given, voice);
  });
  trace.begin(run_json(arguments, choice, input.facts(arguments)));
  const Listener listener(arguments, voice, trace);
  ClusteringRun run =
      naming_file(arguments.operands.front(), [&] { return cluster(listener.run()); });
  trace.commit();
  if (run.ran_out)
    run.clustering.warnings.push_back(
        fmt::format("{} did not settle within {} iterations: allow more (--max-iter)",
                    choice.method->info.name, run.clustering.iterations.size()));
  return {.table = input.table(),
          .rows = given.rows ? *given.rows : all_indices(input.table().rows),
          .learned = choice.method->info.learns,
          .run = std::move(run),
          .n_local = choice.n_local,
          .lists_violations = arguments.is_on("verbose")};
}

void describe_choice(const Arguments& arguments, const ClusteringChoice& choice,
                     const Voice& voice) {
  NamedValues values{{"method", std::string(choice.method->info.name)}};
  values.insert(values.end(), choice.resolved.begin(), choice.resolved.end());
  describe_command(arguments, values, voice);
}

void describe_result(const ClustererInfo& info, const ClusteringOutcome& outcome,
                     const ClusteringResult& result, const Voice& voice) {
  voice.say(fmt::format("{}: {}", styled(voice.screen(), "1", info.name), info.title));
  for (const std::string& line : result.summary()) voice.say(line);
  for (const std::string& line : result.details()) voice.detail(line);
  for (const std::string& warning : outcome.run.clustering.warnings) voice.warn(warning);
}

/// A row for each cluster, the columns of the table.
Table centroid_table(const ClusteringOutcome& outcome) {
  const std::vector<double>& values = outcome.run.clustering.centroids;
  const Index cols = outcome.table.cols;
  Table table;
  table.data = DenseTable<double>{
      .rows = std::ssize(values) / cols, .cols = cols, .values = {values.begin(), values.end()}};
  table.feature_names = outcome.table.feature_names;
  return table;
}

void deliver(const Arguments& arguments, const Destinations& to, TextOutput& output,
             const ClusteringChoice& choice, const ProblemFacts& facts,
             const ClusteringOutcome& outcome, const ClusteringResult& result, double seconds) {
  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  if (arguments.is_on("json"))
    output.write(clustering_json(arguments, choice, facts, outcome, result, seconds));
  else if (to.result.empty() && screen.is_terminal && !arguments.is_on("csv"))
    output.write(result.picture(screen));
  else
    output.write(result.csv());
  if (to.centroids)
    deliver_table(*to.centroids, centroid_table(outcome), all_indices(outcome.table.cols),
                  output_format(*to.centroids, Format::csv));
}

void cluster(const Arguments& arguments) {
  const std::optional<ClusteringChoice> named = named_clustering(arguments);
  const Destinations to(arguments);
  TextOutput output(to.result);
  TraceFile trace(arguments, to.all());
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  const StartFiles start = read_start_files(arguments, voice);
  ClusterInput input(arguments, voice);
  const ProblemFacts facts = input.facts(arguments);
  describe_data(facts, voice);
  ClusteringChoice choice = named ? *named : default_choice(arguments, input.table().known, voice);
  adopt_start(choice, start);
  describe_choice(arguments, choice, voice);
  const ClusterGiven given = given_by(arguments, choice, input.table(), start);
  const Stopwatch watch;
  const auto outcome = run_clustering(arguments, choice, input, given, voice, trace);
  const auto result = outcome.run.map ? map_result(outcome) : partition_result(outcome);
  const double seconds = watch.seconds();
  describe_result(choice.method->info, outcome, *result, voice);
  describe_cost(seconds, voice);
  deliver(arguments, to, output, choice, facts, outcome, *result, seconds);
}

std::vector<Flag> start_flags() {
  const std::string group = "The start";
  return {
      {.name = "init",
       .takes = Takes::file,
       .value = "FILE",
       .help = fmt::format("begin at these centroids, in one run: a table with a row for each "
                           "cluster and the columns of FILE, by name if it has names; without -k "
                           "it says how many clusters there are (not {})",
                           users_of("init", false)),
       .group = group},
      {.name = "init-weights",
       .takes = Takes::file,
       .value = "FILE",
       .help = fmt::format(
           "and with these weights of the features: one row, or one for each cluster ({})",
           users_of("init-weights")),
       .group = group},
  };
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      {.name = "rows",
       .takes = Takes::word,
       .value = "WORD",
       .help = fmt::format(
           "which rows the map is made of: all, or the unlabeled ones ({}; default: all)",
           users_of("rows")),
       .group = group,
       .words = {"all", "unlabeled"}},
      {.name = "local",
       .takes = Takes::maybe_count,
       .value = "[K]",
       .help = fmt::format("also the K best features of each cluster, by its own weights "
                           "({}; default: {})",
                           users_of("local"), kLocalFeatures),
       .group = group},
      {.name = "json",
       .help = "one JSON object with clusters, centroids, weights, memberships, iterations, "
               "violations and agreement; of som codebook, map, units of rows, hits and U-matrix",
       .group = group},
      format_flag(group, {"json", "csv"}),
      {.name = "csv", .help = "CSV with a line per row, even on a terminal", .group = group},
      {.name = "centroids",
       .takes = Takes::file,
       .value = "FILE",
       .help = "also write the centroids (of som: the reference vectors) as a table, in the format "
               "of the extension, else CSV; --init reads it",
       .group = group},
      {.name = "codebook",
       .takes = Takes::file,
       .value = "FILE",
       .help = "another name of --centroids",
       .group = group},
      output_flag(group, "write the result to a file, whole or not at all (default: stdout)"),
      trace_flag(group),
  };
}

}  // namespace

Command cluster_command() {
  return {
      .name = "cluster",
      .summary = "cluster the rows of a table, guided by labels and pairs",
      .description =
          "Clusters the rows of a table: a picture on a terminal; elsewhere CSV with a line "
          "per row, or JSON. The k-means family counts the must-links and cannot-links that its "
          "clusters break (-v lists them) and compares the clusters with the classes, where they "
          "are known: with --labels-per-class, with those too that it hides. The self-organizing "
          "map (som) is the one that --condense som uses: units on a hexagonal sheet, each with a "
          "reference vector; its U-matrix, the distances between neighbouring units, shows "
          "clusters as light areas between dark borders.",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined({clustering_flags(),
                       start_flags(),
                       result_flags(),
                       table_flags(),
                       problem_flags(),
                       memory_flags(),
                       {threads_flag(), progress_flag()},
                       general_flags()}),
      .examples =
          {{"tamis cluster wave.csv --labels-per-class 3", "clusters around a few labeled rows"},
           {"tamis cluster wave.csv --method cop_kmeans --labels-per-class 3",
            "clusters that break no constraint"},
           {"tamis cluster wave.csv --method l2gfs -k 3 --local 5",
            "the five best features of each cluster"},
           {"tamis cluster wave.csv --method kmeans --init centroids.csv -o clusters.csv",
            "k-means from a given start"},
           {"tamis cluster cells.npy --method kmeans -k 20 --memory 4G -o clusters.csv",
            "clusters of a table larger than memory"},
           {"tamis cluster wave.csv --method som --scale standard", "look at a map"},
           {"tamis cluster wave.csv --method som --units 100 --codebook units.csv -o map.csv",
            "the unit of each row, and the vectors of the units"}},
      .run = cluster};
}

}  // namespace tamis::cli
