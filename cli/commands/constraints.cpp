#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/constraint_report.hpp"
#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/progress_bar.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

ConstraintQuestions questions_of(const Arguments& arguments) {
  ConstraintQuestions questions{
      .deduces = arguments.is_on("nearest-prototype"),
      .closes = arguments.is_on("close"),
      .measures_coherence = arguments.is_on("coherence"),
      .selects = arguments.is_on("select"),
      .measures_informativeness = arguments.is_on("informativeness") || arguments.has("clusters"),
      .max_pairs = arguments.integer("max-pairs", kMaxMeasuredPairs, 2),
      .seed = seed_of(arguments)};
  if (arguments.has("clusters")) questions.clusters = arguments.integer("clusters", 0, 1);
  return questions;
}

void describe_links(std::string_view kind, const LinkReport& links, const Voice& voice) {
  std::string line =
      fmt::format("{}: {} from labels, {} from pairs", styled(voice.screen(), "1", kind),
                  links.from_labels, links.from_pairs);
  if (links.deduced > 0)
    line += fmt::format(", {} more from the nearest labeled rows", links.deduced);
  if (links.implied > 0) line += fmt::format(", {} more by closing", links.implied);
  if (!links.dropped.empty())
    line += fmt::format("; {} dropped as incoherent, {} left", links.dropped.size(),
                        links.pairs.size());
  voice.say(line);
}

std::string percentage(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f} %", 100.0 * *share) : "none";
}

void describe_report(const ConstraintReport& report, const Voice& voice) {
  describe_links("must-link", report.must_link, voice);
  describe_links("cannot-link", report.cannot_link, voice);
  if (const auto& found = report.deduction)
    voice.say(fmt::format(
        "of the must-links deduced, {} are right (CR), and of the right ones {} are deduced (COV); "
        "the labels alone give {} (SMC)",
        percentage(found->correct), percentage(found->coverage), percentage(found->given)));
  if (report.coherence)
    voice.say(fmt::format("coherence of the set: {:.4f}{}", *report.coherence,
                          report.coherence_standard_error
                              ? fmt::format(" (standard error {:.4f}: of a sample of constraints)",
                                            *report.coherence_standard_error)
                              : ""));
  if (const auto& found = report.informativeness)
    voice.say(fmt::format(
        "informativeness: {:.4f}; k-means with {} breaks {} must-link and {} cannot-link pairs",
        found->value, counted(found->clusters, "cluster"), found->broken.must_link,
        found->broken.cannot_link));
}

/// What stdout gets: the table of coherence if it was asked for, even beside -o; else the pairs.
std::string shown_text(const Arguments& arguments, const Problem& problem,
                       const ConstraintReport& report, bool has_file) {
  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  const bool has_table = arguments.is_on("coherence");
  if (has_file && !has_table) return "";
  if (screen.is_terminal) return constraints_table(problem, report, screen);
  return has_table ? coherence_text(problem, report) : pair_file(problem, report);
}

void constraints(const Arguments& arguments) {
  const ConstraintQuestions questions = questions_of(arguments);
  const std::string path = output_path(arguments, input_files(arguments));
  TextOutput output(path);
  const Voice voice(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  describe_command(arguments, {}, voice);
  const LoadedProblem data = load_problem(arguments, voice, KeepOriginal::no);
  describe_data(loaded_facts(arguments, data), voice);
  const Stopwatch watch;
  const ConstraintReport report = [&] {
    ProgressBar bar(arguments, voice);
    const Run run{.seed = questions.seed, .progress = bar.progress()};
    return naming_file(arguments.operands.front(), [&] {
      return examine_constraints(data.problem, data.true_labels, questions, run);
    });
  }();
  const double seconds = watch.seconds();
  describe_report(report, voice);
  describe_cost(seconds, voice);
  if (arguments.is_on("json"))
    return output.write(constraints_json(arguments, data, questions, report, seconds));
  if (!path.empty()) output.write(pair_file(data.problem, report));
  write_stdout(shown_text(arguments, data.problem, report, !path.empty()));
}

std::vector<Flag> question_flags() {
  const std::string group = "What to do";
  return {
      {.name = "nearest-prototype",
       .help =
           "add a must-link for each two rows whose nearest labeled rows share a class, and say "
           "how many of them are right where more labels are known (--labels-per-class)",
       .group = group},
      {.name = "close",
       .help = "add the pairs that follow: must-links are transitive, cannot-links spread along "
               "them; labels and pairs together",
       .group = group},
      {.name = "coherence",
       .help = "measure how far must-links and cannot-links point in different directions: the "
               "set, and each constraint in a table",
       .group = group},
      {.name = "max-pairs",
       .takes = Takes::text,
       .value = "N",
       .help = fmt::format("constraints of a kind of which coherence is measured; of more, as many "
                           "are drawn by chance (default: {})",
                           kMaxMeasuredPairs),
       .group = group},
      {.name = "select",
       .help = "keep only the constraints that are at least as coherent as the set",
       .group = group},
      {.name = "informativeness",
       .help = "measure which fraction of the constraints a k-means without them breaks",
       .group = group},
      {.name = "clusters",
       .takes = Takes::text,
       .value = "K",
       .help = "clusters of that k-means; asks for --informativeness (default: the number of "
               "classes)",
       .group = group},
  };
}

std::vector<Flag> result_flags() {
  const std::string group = "The result";
  return {
      {.name = "json",
       .help = "one JSON object with counts, pairs, coherence and informativeness",
       .group = group},
      format_flag(group, {"json"}),
      output_flag(group, "write the resulting pairs as a pair file, which --constraints reads")};
}

}  // namespace

Command constraints_command() {
  return {.name = "constraints",
          .summary = "look at must-link and cannot-link pairs, close and select them",
          .description =
              "Lists the constraints that labels and a file of pairs make: counts for people, and "
              "the pairs as a file that --constraints reads. Contradictions are errors that name "
              "two rows. Constraints that come from labels are pairs of labeled rows: must-link "
              "within a class, cannot-link between two.",
          .operands = {{.name = "FILE", .is_file = true}},
          .flags = joined({question_flags(),
                           result_flags(),
                           table_flags(),
                           without({"close-constraints"}, problem_flags()),
                           {threads_flag(), progress_flag()},
                           general_flags()}),
          .examples = {{"tamis constraints iris.csv --labels-per-class 3 --coherence",
                        "which of the pairs that nine labels imply can be trusted?"},
                       {"tamis constraints data.csv --constraints pairs.csv --close --select -o "
                        "good.csv",
                        "all that follows from the pairs, without what does not fit"}},
          .run = constraints};
}

}  // namespace tamis::cli
