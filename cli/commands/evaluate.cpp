#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/interrupt.hpp"
#include "cli/console/progress_bar.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/summary_output.hpp"
#include "core/option_texts.hpp"
#include "core/peak_memory.hpp"
#include "evaluation/experiment.hpp"
#include "evaluation/results_log.hpp"
#include "evaluation/run_notes.hpp"
#include "registry/method_call.hpp"
#include "report/html_report.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/registry/methods.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::cli {
namespace {

std::string stem_of(const std::string& path) {
  if (path == "-") return name_of_input(path);
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

/// Files are called by the last part of their path, or by all of it where that names two of them.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::vector<std::string> stems;
  for (const std::string& file : files) stems.push_back(stem_of(file));
  std::vector<std::string> names;
  for (std::size_t s = 0; s < files.size(); ++s)
    names.push_back(std::ranges::count(stems, stems[s]) > 1 ? files[s] : stems[s]);
  return names;
}

/// The data set looks into the table: keep both.
struct LoadedDataSet {
  Table table;
  DataSet data;
};

LoadedDataSet load_data_set(const std::string& file, const std::string& name,
                            const Arguments& arguments, const Voice& voice) {
  Table table = read_input(file, arguments, voice);
  EncodedLabels encoded = labels_of(given_labels(file, table, arguments, voice), voice);
  if (encoded.labels.empty())
    throw DataError(fmt::format(
        "{}: there are no labels, and features are judged by telling classes apart: give "
        "--label-column or --labels",
        name_of_input(file)));
  Problem problem{.matrix = table.view(),
                  .feature_names = table.feature_names,
                  .known = {.sample_ids = table.sample_ids,
                            .labels = std::move(encoded.labels),
                            .class_names = std::move(encoded.class_names)},
                  .feature_groups = table.groups};
  const Missing missing = missing_of(arguments);
  treat_missing(file, missing, table, problem, voice);
  DataSet data{
      .name = name, .file = name_of_input(file), .problem = std::move(problem), .missing = missing};
  naming_file(file,
              [&] { check_problem(CompleteData(data, all_indices(table.rows())).data().problem); });
  return {.table = std::move(table), .data = std::move(data)};
}

std::vector<LoadedDataSet> load_data_sets(const Arguments& arguments, const Voice& voice) {
  const std::vector<std::string>& files = arguments.operands;
  if (files.size() > 1 && arguments.has("labels"))
    throw InvalidArgument("evaluate: --labels belongs to one table: give a single FILE with it");
  const std::vector<std::string> names = names_of(files);
  std::vector<LoadedDataSet> all;
  for (std::size_t s = 0; s < files.size(); ++s)
    all.push_back(load_data_set(files[s], names[s], arguments, voice));
  return all;
}

OptionTexts settings_of(const Arguments& arguments) {
  OptionTexts texts;
  for (const OptionInfo& setting : describe_options<Protocol>())
    if (const auto text = arguments.text(flag_name(setting.name))) texts[setting.name] = *text;
  return texts;
}

/// What we would take, and what most people know.
std::vector<std::string> default_methods() {
  return {std::string(kAutomaticMethod), std::string(FisherScoreOptions::info.name)};
}

std::vector<std::string> chosen_methods(const Arguments& arguments) {
  std::vector<std::string> calls =
      arguments.has("methods") ? method_calls(arguments.list("methods")) : default_methods();
  for (std::string& call : calls)
    if (arguments.is_on("paper") && !is_control(call)) call = following_paper(call);
  return calls;
}

ExperimentTexts texts_of(const Arguments& arguments) {
  return {.methods = chosen_methods(arguments),
          .protocol = arguments.text("protocol", presets().front().name),
          .settings = settings_of(arguments),
          .seed = seed_of(arguments)};
}

void describe_experiment(const ExperimentFacts& facts, const Voice& voice) {
  for (const DataSetFacts& data : facts.data_sets)
    voice.say(fmt::format("{}: {} x {}, {} labeled in {} classes",
                          styled(voice.screen(), "1", printable(data.file)),
                          counted(data.rows, "row"), counted(data.features, "feature"),
                          data.labeled(), data.classes.size()));
  for (const auto& [name, value] : facts.settings)
    voice.detail(fmt::format("{} = {}", name, to_text(value)));
}

bool results_go_to_stdout(const Arguments& arguments) {
  return arguments.text("output", "") == "-";
}

void run(const Arguments& arguments, const Experiment& experiment, ResultsLog& log,
         const Voice& voice) {
  const bool goes_to_stdout = results_go_to_stdout(arguments);
  if (goes_to_stdout) write_stdout(to_json_line(log.results().facts));
  ProgressBar bar(arguments, voice);
  const std::vector<RunResult> earlier = log.results().runs;
  run_experiment(experiment, earlier,
                 {.done =
                      [&](const RunResult& result) {
                        log.add(result);
                        if (goes_to_stdout) write_stdout(to_json_line(result));
                      },
                  .warn =
                      [&](const std::string& text) {
                        bar.erase();
                        voice.warn(text);
                      },
                  .peak_memory = peak_memory_bytes,
                  .progress = bar.progress()});
}

void evaluate(const Arguments& arguments) {
  Experiment experiment = experiment_of(
      texts_of(arguments),
      {ranker_of, projector_of, options_of, needs_classes, first_ranking_of, with_options});
  std::vector<std::string> inputs = arguments.operands;
  if (const auto labels = arguments.text("labels")) inputs.push_back(*labels);
  const std::string path = output_path(arguments, inputs);
  ReportFile report(arguments, inputs, {{"the summary", ""}, {"the results", path}});
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  const std::vector<LoadedDataSet> loaded = load_data_sets(arguments, voice);
  for (const LoadedDataSet& one : loaded) experiment.data_sets.push_back(one.data);

  ExperimentFacts facts = facts_of(experiment);
  facts.version = TAMIS_VERSION;
  facts.command = typed_command(arguments);
  describe_experiment(facts, voice);
  ResultsLog log(path, std::move(facts),
                 {.note = [&](const std::string& text) { voice.note(text); },
                  .other_file = "give -o another file"});
  const Stopwatch watch;
  {
    const InterruptAdvice advice(path.empty() ? nullptr
                                              : "the same command continues where it stopped");
    run(arguments, experiment, log, voice);
    log.close();
  }
  describe_cost(watch.seconds(), voice);

  for (const std::string& text : warning_notes(log.results())) voice.warn(text);
  const Summary summary = summarize(log.results());
  if (report.is_wanted()) report.write(html_report(log.results(), summary));
  if (!results_go_to_stdout(arguments))
    write_stdout(arguments.is_on("json") ? to_json_line(log.results().facts, summary)
                                         : summary_text(log.results().facts, summary,
                                                        screen_of(STDOUT_FILENO, arguments)));
  if (const auto failures = failure_note(log.results())) throw ComputationError(*failures);
}

std::vector<Flag> experiment_flags() {
  const std::string group = "The experiment";
  std::vector<std::string> names;
  std::vector<std::string> method_names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  for (const Method& method : methods()) method_names.emplace_back(method.info.name);
  for (const ProjectionMethod& method : projections()) method_names.emplace_back(method.info.name);
  return {
      {.name = "methods",
       .letter = 'm',
       .takes = Takes::text,
       .value = "LIST",
       .help = fmt::format(
           "methods to compare, with options if they have any: "
           "cls:n_neighbors=5,form=ensemble,fisher_score are two methods; projections too, of "
           "which "
           "components count as features; all features, random features and variance always come "
           "along (default: {})",
           fmt::join(default_methods(), ",")),
       .group = group,
       .repeats = true,
       .words = method_names},
      {.name = "paper",
       .help = "the same as settings=paper among the options of every method: what is not given "
               "has the value of its paper; tamis methods NAME lists them",
       .group = group},
      {.name = "protocol",
       .letter = 'p',
       .takes = Takes::word,
       .value = "NAME",
       .help = fmt::format("where the settings below come from: {} (default: {})",
                           fmt::join(names, " | "), names.front()),
       .group = group,
       .words = names},
  };
}

/// Every setting of a protocol as a flag.
std::vector<Flag> protocol_flags() {
  std::vector<Flag> flags;
  for (const OptionInfo& setting : describe_options<Protocol>()) {
    Flag flag = flag_of(setting);
    const bool is_list = setting.type == OptionType::word && setting.words.empty();
    if (is_list) flag.value = "LIST";
    flag.help =
        is_list ? setting.help : fmt::format("{}; {}", setting.help, describe_values(setting));
    flag.group = "Settings of the protocol, where they should differ from it";
    if (setting.name == "top") flag.letter = 'k';
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      {.name = "json", .help = "the summary as one JSON object", .group = group},
      format_flag(group, {"json"}),
      output_flag(group,
                  "write every result to a file as it comes, as JSON lines; the same command "
                  "continues a file that an interrupt left behind"),
      report_flag(group),
  };
}

}  // namespace

Command evaluate_command() {
  return {
      .name = "evaluate",
      .summary = "compare methods by how well a classifier does with their best features",
      .description =
          "Splits each table into training and test rows, shows each method the training rows with "
          "a few labels, and lets a classifier predict the test rows from the best features. Says "
          "how accurate that is over many runs, whether methods differ, and which ones are no "
          "better than random features. Exits with 1 if a method failed in any run; the others "
          "are done all the same.",
      .operands = {{.name = "FILE", .is_file = true, .repeats = true}},
      .flags = joined({experiment_flags(),
                       protocol_flags(),
                       result_flags(),
                       table_flags(),
                       without({"constraints", "close-constraints", "labels-per-class", "scale"},
                               problem_flags()),
                       {threads_flag(), progress_flag()},
                       general_flags()}),
      .examples = {{"tamis evaluate iris.csv --methods cls,fisher_score",
                    "two methods under our own protocol, with the controls"},
                   {"tamis evaluate data/*.mat --methods cls,ens_cls --protocol ens-cls-2013 -o "
                    "results.jsonl",
                    "the experiment of a paper; give the same command again to continue it"},
                   {"tamis evaluate wave.csv --methods cls:condense=som,lsdf --runs 50 --top 1:20 "
                    "--classifier svm --cost auto",
                    "your own settings"}},
      .run = evaluate};
}

}  // namespace tamis::cli
