#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/fitted_projection.hpp"
#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/listener.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/peak_memory.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::cli {
namespace {

std::vector<std::string> projection_names() {
  std::vector<std::string> names;
  for (const ProjectionMethod& method : projections()) names.emplace_back(method.info.name);
  return names;
}

const ProjectionMethod& chosen_projection(const Arguments& arguments) {
  if (!arguments.has("method"))
    throw InvalidArgument(
        fmt::format("project: say how to project: --method {}; or --from RESULT.json to project "
                    "new rows as others were",
                    fmt::join(projection_names(), " | ")));
  return find_projection(*arguments.text("method"));
}

/// What was projected, and the result.
struct Outcome {
  Table table;  ///< of the rows, for their ids and labels
  ProjectionResult result;
};

/// Zeros of a sparse table stay where they are.
std::optional<Scaling> applied_scaling(const LoadedProblem& data) {
  std::optional<Scaling> scaling = data.scaling;
  if (scaling && data.table.view().is_sparse()) scaling->shift.assign(scaling->shift.size(), 0.0);
  return scaling;
}

Outcome fit(const Arguments& arguments, const ProjectionMethod& method, const Voice& voice) {
  const OptionTexts texts = method_options(method.info.name, arguments);
  const NamedValues resolved = method.resolve(texts);
  LoadedProblem data = load_problem(arguments, voice, KeepOriginal::no);
  describe_data(loaded_facts(arguments, data), voice);
  NamedValues values{{"method", std::string(method.info.name)}};
  values.insert(values.end(), resolved.begin(), resolved.end());
  describe_command(arguments, values, voice);
  ProjectionResult result{.method = std::string(method.info.name),
                          .options = resolved,
                          .seed = seed_of(arguments),
                          .data = loaded_facts(arguments, data),
                          .names = data.problem.feature_names,
                          .scaling = applied_scaling(data)};
  const Stopwatch watch;
  {
    TraceFile no_trace(arguments, {});
    const Listener listener(arguments, voice, no_trace);
    result.projection = naming_file(arguments.operands.front(), [&] {
      return method.project(data.problem, texts, listener.run());
    });
  }
  result.seconds = watch.seconds();
  return {std::move(data.table), std::move(result)};
}

Outcome apply(const Arguments& arguments, const FittedProjection& fitted, const Voice& voice) {
  const std::string& path = arguments.operands.front();
  const std::string file = name_of_input(path);
  Table table = read_with_notes(path, read_options(arguments), voice);
  naming_file(path,
              [&] { check_rows({.matrix = table.view(), .feature_names = table.feature_names}); });
  const Stopwatch watch;
  ProjectionResult result = fitted.applied_to(file, table, voice);
  result.seconds = watch.seconds();
  const std::string scale = result.data.scale;
  result.data = problem_facts({.matrix = table.view(), .feature_names = result.names});
  result.data.file = path;
  result.data.format = table.format.name;
  result.data.scale = scale;
  return {std::move(table), std::move(result)};
}

void describe_result(const ProjectionResult& result, const Voice& voice) {
  constexpr std::size_t kShown = 5;
  const Projection& found = result.projection;
  std::vector<std::string> eigenvalues;
  for (const double value : found.eigenvalues)
    if (eigenvalues.size() < kShown) eigenvalues.push_back(fmt::format("{:.4g}", value));
  if (found.eigenvalues.size() > kShown) eigenvalues.emplace_back("...");
  voice.say(fmt::format(
      "{}: {}; {} of {}, eigenvalues {}", styled(voice.screen(), "1", result.method),
      find_projection(result.method).info.title, counted(found.components.rows, "component"),
      found.rank, fmt::join(eigenvalues, ", ")));
  for (const std::string& warning : found.warnings) voice.warn(warning);
  describe_cost(result.seconds, voice);
}

/// The rows as they are written: new features, the old ids and labels.
Table projected_table(Outcome outcome) {
  Table& table = outcome.table;
  table.data = std::move(outcome.result.projection.projected);
  table.feature_names.clear();
  for (Index c = 1; c <= table.cols(); ++c) table.feature_names.push_back(fmt::format("c{}", c));
  return std::move(table);
}

std::string projection_json(const Outcome& outcome) {
  ProjectionResult result = outcome.result;
  result.version = TAMIS_VERSION;
  const auto if_any = [](const std::vector<std::string>& texts) {
    return texts.empty() ? std::nullopt : std::optional(texts);
  };
  result.ids = if_any(outcome.table.sample_ids);
  result.labels = if_any(outcome.table.label_texts);
  result.peak_memory_bytes = peak_memory_bytes();
  return json_line(result);
}

void project(const Arguments& arguments) {
  std::optional<FittedProjection> fitted;
  if (arguments.has("from")) fitted.emplace(arguments);
  const ProjectionMethod* const method = fitted ? nullptr : &chosen_projection(arguments);
  const std::string path = output_path(arguments, input_files(arguments));
  const bool is_json = arguments.is_on("json");
  const Format format = is_json ? Format::csv : output_format(path, Format::csv);
  check_writable(path);
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  Outcome outcome = fitted ? apply(arguments, *fitted, voice) : fit(arguments, *method, voice);
  describe_result(outcome.result, voice);
  if (is_json) {
    TextOutput(path).write(projection_json(outcome));
    return;
  }
  const Table table = projected_table(std::move(outcome));
  deliver_table(path, table, all_indices(table.cols()), format);
}

std::vector<Flag> projection_flags() {
  std::vector<Flag> flags{
      {.name = "method",
       .letter = 'm',
       .takes = Takes::word,
       .value = "NAME",
       .help = fmt::format("how to project: {}", fmt::join(projection_names(), " | ")),
       .group = "Method",
       .words = projection_names(),
       .otherwise = projection_names().front(),
       .options_of = [](const std::string& name) { return find_projection(name).options; }}};
  for (const ProjectionMethod& method : projections())
    add_options(flags, method.info.name, method.options);
  flags.push_back({.name = "from",
                   .takes = Takes::file,
                   .value = "RESULT.json",
                   .help = "project the rows of FILE as others were: what --json wrote of them; "
                           "columns are found by name, or by number if there are no names",
                   .group = "Method"});
  return flags;
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      {.name = "json",
       .help = "one JSON object with components, eigenvalues, mean and projected rows; --from "
               "reads it",
       .group = group},
      format_flag(group, {"json"}),
      output_flag(
          group,
          "the projected table in the format of the extension, else CSV, or the JSON object "
          "(default: stdout)"),
  };
}

}  // namespace

Command project_command() {
  return {
      .name = "project",
      .summary = "project the rows of a table on a few directions, guided by labels and pairs",
      .description =
          "Writes the table with new features c1, c2, ... in place of its own, each a combination "
          "of all columns; ids and labels are kept. pca takes the directions in which rows vary "
          "most, ssdr those along which cannot-linked rows lie apart and must-linked ones close, "
          "cfld and rca those along which rows spread most compared to rows that must-links join. "
          "Beside the methods that select features, for comparison: a projection needs all columns "
          "measured. One of rows and columns may be at most 20000.",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined({projection_flags(),
                       result_flags(),
                       table_flags(),
                       problem_flags(),
                       {threads_flag(), progress_flag()},
                       general_flags()}),
      .examples = {{"tamis project genes.csv --method pca --n-components 2 -o plane.csv",
                    "two features to look at"},
                   {"tamis project wave.csv --method ssdr --labels-per-class 3 -o projected.csv",
                    "guided by a few labels"},
                   {"tamis project train.csv --method rca --json -o fit.json",
                    "with all that is needed for new rows"},
                   {"tamis project new.csv --from fit.json -o new-projected.csv",
                    "new rows along the same directions"}},
      .run = project};
}

}  // namespace tamis::cli
