#include "cli/ranking_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/flags.hpp"
#include "cli/listener.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

/// What --bagging and the flags that belong to it say.
std::optional<BaggingOptions> bagging_of(const Arguments& arguments) {
  for (const char* const flag : {"subspace", "bagging-combine"})
    if (arguments.has(flag) && !arguments.has("bagging"))
      throw InvalidArgument(
          fmt::format("{}: --{} is about the members of an ensemble: give --bagging N too",
                      arguments.command->name, flag));
  if (!arguments.has("bagging")) return std::nullopt;
  BaggingOptions options{.n_members = arguments.integer("bagging", 0, 1)};
  if (arguments.has("subspace")) options.subspace_size = arguments.integer("subspace", 0, 1);
  if (const auto word = arguments.text("bagging-combine"))
    detail::parse_into(options.combine, arguments.command->name, "--bagging-combine", "", *word);
  return options;
}

Ranking ranked(const MethodChoice& choice, const Problem& problem) {
  const Ranker ranker = [&](const Problem& part) {
    return choice.method->rank(part, choice.texts);
  };
  return choice.bagging ? bagging(problem, *choice.bagging, ranker) : ranker(problem);
}

void describe_method(const MethodChoice& choice, Better better, const Voice& voice) {
  const MethodInfo& method = choice.method->info;
  voice.say(fmt::format(
      "{}: {}{}; {} is better", styled(voice.screen(), "1", method.name), method.title,
      choice.bagging
          ? fmt::format(", combined from {}", counted(choice.bagging->n_members, "member"))
          : "",
      name_of(better)));
}

/// --method and every option.
NamedValues all_values(const MethodChoice& choice) {
  NamedValues values{{"method", std::string(choice.method->info.name)}};
  values.insert(values.end(), choice.resolved.begin(), choice.resolved.end());
  if (choice.bagging)
    values.emplace_back("bagging_combine", std::string(word_of(choice.bagging->combine)));
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

void describe_stability(const Stability& stability, const Voice& voice) {
  const auto [sets, set_size, nogueira, low, high, kuncheva] = stability;
  voice.say(fmt::format(
      "stability {:.2f} ({:.2f} to {:.2f}; Nogueira), {} (Kuncheva), of the {} best over {} parts "
      "of the ensemble",
      nogueira, low, high, std::isnan(kuncheva) ? "undefined" : fmt::format("{:.2f}", kuncheva),
      set_size, sets));
}

void describe_outcome(const Ranking& ranking, const Voice& voice) {
  const Diagnostics& seen = ranking.diagnostics;
  for (const std::string& warning : seen.warnings) voice.warn(warning);
  if (!seen.converged)
    voice.warn(fmt::format("not converged after {} iterations", seen.iterations));
  if (ranking.committee && ranking.committee->stability)
    describe_stability(*ranking.committee->stability, voice);
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
  choice.texts = method_options(choice.method->info.name, arguments);
  choice.resolved = choice.method->resolve(choice.texts);
  choice.bagging = bagging_of(arguments);
  return choice;
}

Json run_json(const Arguments& arguments, const MethodChoice& choice, const LoadedProblem& data) {
  return {
      {"method", choice.method->info.name},
      {"options", options_json(choice.resolved)},
      {"bagging", choice.bagging ? options_json(resolved_values(*choice.bagging)) : Json(nullptr)},
      {"seed", seed_of(arguments)},
      {"data", data_json(arguments, data)}};
}

RankingRun run_ranking(const Arguments& arguments, const MethodChoice& choice, LoadedProblem data,
                       const Voice& voice, TraceFile& trace) {
  const std::optional<Index> wanted = wanted_features(arguments);
  describe_command(arguments, all_values(choice), voice);
  RankingRun run{.data = std::move(data), .ranking = {}, .selected = {}, .listed = {}};
  describe_data(arguments, run.data, voice);

  if (choice.bagging && choice.method->info.selects_subset)
    voice.warn(fmt::format("only the ranking of {} is bagged: the subsets of members are not kept",
                           choice.method->info.name));

  trace.begin(run_json(arguments, choice, run.data));
  const Stopwatch watch;
  {
    const Listener listener(run.data.problem, arguments, voice, trace);
    run.ranking =
        naming_file(arguments.operands.front(), [&] { return ranked(choice, run.data.problem); });
  }
  run.seconds = watch.seconds();
  trace.commit();

  describe_method(choice, run.ranking.better, voice);
  run.selected = selection(run.ranking, wanted);
  run.listed = wanted ? *run.selected : run.ranking.order;
  check_top(choice, run, wanted, voice);
  describe_outcome(run.ranking, voice);
  describe_cost(run.seconds, voice);
  return run;
}

}  // namespace tamis::cli
