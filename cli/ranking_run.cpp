#include "cli/ranking_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/flags.hpp"
#include "cli/progress_bar.hpp"

namespace tamis::cli {
namespace {

void describe_method(const Method& method, Better better, const Voice& voice) {
  voice.say(fmt::format("{}: {}; {} is better", styled(voice.screen(), "1", method.info.name),
                        method.info.title, name_of(better)));
}

/// --method and every option.
NamedValues all_values(const MethodChoice& choice) {
  NamedValues values{{"method", std::string(choice.method->info.name)}};
  values.insert(values.end(), choice.resolved.begin(), choice.resolved.end());
  return values;
}

/// The first `wanted` of the features that may be selected, all if there is no such wish.
std::optional<std::vector<Index>> selection(const Ranking& ranking, std::optional<Index> wanted) {
  if (!wanted) return ranking.subset;
  std::vector<Index> best = ranking.subset.value_or(ranking.order);
  best.resize(std::min(best.size(), static_cast<std::size_t>(*wanted)));
  return best;
}

void check_top(const MethodChoice& choice, const RankingRun& run, std::optional<Index> wanted,
               const Voice& voice) {
  if (!wanted) return;
  const auto taken = static_cast<Index>(run.selected->size());
  if (*wanted > taken && run.ranking.subset)
    voice.warn(fmt::format("--top {} asks for more than the {} that {} kept: all of them are taken",
                           *wanted, counted(taken, "feature"), choice.method->info.name));
  else if (*wanted > taken)
    voice.warn(fmt::format("--top {} asks for more than the {} of the table: all are taken",
                           *wanted, counted(taken, "feature")));
  const auto undefined = std::ranges::count_if(
      *run.selected, [&](Index column) { return std::isnan(run.ranking.scores[column]); });
  if (undefined > 0)
    voice.warn(fmt::format("{} of the {} features taken {} no defined score", undefined, taken,
                           undefined == 1 ? "has" : "have"));
}

void describe_outcome(const Ranking& ranking, const Voice& voice) {
  const Diagnostics& seen = ranking.diagnostics;
  for (const std::string& warning : seen.warnings) voice.warn(warning);
  if (!seen.converged)
    voice.warn(fmt::format("not converged after {} iterations", seen.iterations));
  if (!ranking.redundancy) return;
  const auto kept = static_cast<Index>(ranking.subset->size());
  voice.say(fmt::format("{} kept, {} removed; mean |rho| of the kept {:.3f}",
                        counted(kept, "feature"), ranking.redundancy->removed.size(),
                        ranking.redundancy->mean_abs_correlation));
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
  describe_command(arguments, all_values(choice), voice);
  RankingRun run{.data = std::move(data), .ranking = {}, .selected = {}, .listed = {}};
  describe_data(arguments, run.data, voice);

  const Stopwatch watch;
  {
    ProgressBar bar(arguments, voice);
    run.data.problem.progress = bar.progress();
    run.ranking = naming_file(arguments.operands.front(),
                              [&] { return choice.method->rank(run.data.problem, choice.texts); });
    run.data.problem.progress = {};
  }
  run.seconds = watch.seconds();

  describe_method(*choice.method, run.ranking.better, voice);
  run.selected = selection(run.ranking, wanted);
  run.listed = wanted ? *run.selected : run.ranking.order;
  check_top(choice, run, wanted, voice);
  describe_outcome(run.ranking, voice);
  describe_cost(run.seconds, voice);
  return run;
}

}  // namespace tamis::cli
