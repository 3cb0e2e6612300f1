#include "cli/ranking_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cli/flags.hpp"
#include "cli/progress_bar.hpp"

namespace tamis::cli {
namespace {

std::string counted(Index count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void describe_data(const Arguments& arguments, const LoadedProblem& data, const Voice& voice) {
  const Problem& problem = data.problem;
  const Index labeled = std::ssize(labeled_rows(problem));
  const auto classes = static_cast<Index>(rows_by_class(problem).size());
  std::string line = fmt::format(
      "{}: {} x {}", styled(voice.screen(), "1", name_of_input(arguments.operands.front())),
      counted(problem.rows(), "row"), counted(problem.cols(), "feature"));
  line += labeled == 0 ? std::string(", no labels")
                       : fmt::format(", {} labeled in {} class{}", labeled, classes,
                                     classes == 1 ? "" : "es");
  if (data.must_link + data.cannot_link > 0)
    line +=
        fmt::format(", {} must-link and {} cannot-link pairs", data.must_link, data.cannot_link);
  voice.say(line);
}

void describe_method(const Method& method, Better better, const Voice& voice) {
  voice.say(fmt::format("{}: {}; {} is better", styled(voice.screen(), "1", method.info.name),
                        method.info.title, name_of(better)));
}

std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=./,+:@%").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string inside;
  for (const char c : word) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("'{}'", inside);
}

/// The command line with every default written out.
std::string repeating_command(const Arguments& arguments, const MethodChoice& choice) {
  std::string command = "tamis " + arguments.command->name;
  for (const std::string& word : arguments.words) command += fmt::format(" {}", quoted(word));
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (!arguments.has(flag)) command += fmt::format(" --{}={}", flag, quoted(value));
  };
  add("method", std::string(choice.method->info.name));
  for (const auto& [name, value] : choice.resolved) {
    std::string flag = name;
    std::ranges::replace(flag, '_', '-');
    add(flag, to_text(value));
  }
  add("seed", "0");
  return command;
}

void check_top(const RankingRun& run, std::optional<Index> wanted, const Voice& voice) {
  if (!wanted) return;
  const auto features = static_cast<Index>(run.ranking.order.size());
  if (*wanted > features)
    voice.warn(fmt::format("--top {} asks for more than the {} of the table: all are taken",
                           *wanted, counted(features, "feature")));
  const auto undefined = std::ranges::count_if(
      *run.selected, [&](Index column) { return std::isnan(run.ranking.scores[column]); });
  if (undefined > 0)
    voice.warn(fmt::format("{} of the {} features taken {} no defined score", undefined,
                           run.selected->size(), undefined == 1 ? "has" : "have"));
}

void describe_outcome(const RankingRun& run, const Voice& voice) {
  const Diagnostics& seen = run.ranking.diagnostics;
  for (const std::string& warning : seen.warnings) voice.warn(warning);
  if (!seen.converged)
    voice.warn(fmt::format("not converged after {} iterations", seen.iterations));
  voice.detail(fmt::format("{:.3f} s, {:.1f} MB at most", run.seconds,
                           static_cast<double>(peak_memory_bytes()) / 1e6));
}

}  // namespace

std::optional<Index> wanted_features(const Arguments& arguments) {
  if (arguments.text("top", "all") == "all") return std::nullopt;
  return arguments.integer("top", 0, 1);
}

MethodChoice choose_method(const Arguments& arguments) {
  wanted_features(arguments);
  seed_of(arguments);
  MethodChoice choice{.method = &chosen_method(arguments)};
  choice.texts = method_options(*choice.method, arguments);
  choice.resolved = choice.method->resolve(choice.texts);
  return choice;
}

RankingRun run_ranking(const Arguments& arguments, const MethodChoice& choice, LoadedProblem data,
                       const Voice& voice) {
  const std::optional<Index> wanted = wanted_features(arguments);
  voice.detail(repeating_command(arguments, choice));
  RankingRun run{.data = std::move(data), .ranking = {}, .selected = {}};
  describe_data(arguments, run.data, voice);

  const auto start = std::chrono::steady_clock::now();
  {
    ProgressBar bar(arguments, voice);
    run.data.problem.progress = bar.progress();
    run.ranking = naming_file(arguments.operands.front(),
                              [&] { return choice.method->rank(run.data.problem, choice.texts); });
    run.data.problem.progress = {};
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  describe_method(*choice.method, run.ranking.better, voice);
  run.selected = run.ranking.subset;
  if (wanted) {
    const Index taken = std::min(*wanted, static_cast<Index>(run.ranking.order.size()));
    run.selected.emplace(run.ranking.order.begin(), run.ranking.order.begin() + taken);
  }
  check_top(run, wanted, voice);
  describe_outcome(run, voice);
  return run;
}

Index peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace tamis::cli
