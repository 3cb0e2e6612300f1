#include "cli/commands/ranking_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/commands/flags.hpp"
#include "cli/console/listener.hpp"
#include "core/peak_memory.hpp"
#include "prepare/feature_groups.hpp"
#include "results/json_fields.hpp"
#include "results/relevance_text.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

void describe_paper(const RankingPlan& plan, const Voice& voice) {
  if (plan.settings == Settings::paper && plan.paper().empty())
    voice.note(fmt::format("--paper changes nothing: the paper of {} sets no other option here",
                           plan.name()));
}

void describe_method(const RankingPlan& plan, Better better, const Voice& voice) {
  const MethodInfo& method = plan.method->info;
  voice.say(fmt::format(
      "{}: {}{}{}; {} is better", styled(voice.screen(), "1", method.name), method.title,
      plan.bagging ? fmt::format(", combined from {}", counted(plan.bagging->n_members, "member"))
                   : "",
      plan.diversify
          ? fmt::format(", the {} best in order of what they add", plan.diversify->n_candidates)
          : "",
      word_of(better)));
}

/// --method and every option.
NamedValues all_values(const RankingPlan& plan) {
  NamedValues values{{"method", std::string(plan.name())}};
  std::ranges::move(plan.resolved(), std::back_inserter(values));
  if (plan.bagging)
    values.emplace_back("bagging_combine", std::string(word_of(plan.bagging->combine)));
  return values;
}

RankingTask task_of(const Arguments& arguments, const RankingPlan& plan,
                    const ProblemFacts& facts) {
  return ranking_task(plan, seed_of(arguments), facts);
}

void check_top(const RankingPlan& plan, const RankingRun& run, const Voice& voice) {
  if (plan.wanted.is_all()) return;
  const auto taken = static_cast<Index>(run.listed.size());
  const Index wanted = plan.wanted.count.value_or(taken);
  if (wanted > taken && run.ranking.subset)
    voice.warn(fmt::format("--top {} asks for more than the {} that {} kept: all of them are taken",
                           wanted, counted(taken, "feature"), plan.name()));
  else if (wanted > taken)
    voice.warn(fmt::format("--top {} asks for more than the {} of the table: all are taken", wanted,
                           counted(taken, "feature")));
  const auto undefined = std::ranges::count_if(
      run.listed, [&](Index column) { return std::isnan(run.ranking.scores[column]); });
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

void describe_outcome(const RankingTask& task, const Ranking& ranking, const Voice& voice) {
  const Diagnostics& seen = ranking.diagnostics;
  for (const std::string& warning : seen.warnings) voice.warn(warning);
  if (!seen.converged)
    voice.warn(fmt::format("not converged after {} iterations", seen.iterations));
  if (ranking.committee && ranking.committee->stability)
    describe_stability(*ranking.committee->stability, voice);
  if (ranking.relevance) voice.say(relevance_text(task, *ranking.relevance));
  if (!ranking.subset) return;
  const std::string kept = counted(std::ssize(*ranking.subset), "feature");
  voice.say(ranking.redundancy ? fmt::format("{} kept, {} removed; mean |rho| of the kept {:.3f}",
                                             kept, ranking.redundancy->removed.size(),
                                             ranking.redundancy->mean_abs_correlation)
                               : fmt::format("{} of {} kept", kept, ranking.scores.size()));
}

}  // namespace

void describe_removed(const RankingRun& run, const Voice& voice) {
  constexpr std::size_t kNamed = 10;
  if (!run.ranking.redundancy || run.ranking.redundancy->removed.empty()) return;
  const auto& removed = run.ranking.redundancy->removed;
  const auto name = [&](Index column) { return printable(run.names[column]); };
  std::vector<std::string> parts;
  for (const auto& [feature, because_of, correlation] : removed) {
    if (parts.size() == kNamed) break;
    parts.push_back(
        fmt::format("{} (repeats {}, |rho| {:.2f})", name(feature), name(because_of), correlation));
  }
  if (removed.size() > kNamed)
    parts.push_back(fmt::format("{} more; tamis rank lists them all", removed.size() - kNamed));
  voice.say(fmt::format("removed: {}", fmt::join(parts, ", ")));
}

RankingResult result_of(const Arguments& arguments, const RankingPlan& plan,
                        const RankingRun& run) {
  return {.version = TAMIS_VERSION,
          .task = task_of(arguments, plan, run.facts),
          .names = run.names,
          .ranking = run.ranking,
          .selected = run.selected,
          .seconds = run.seconds,
          .peak_memory_bytes = peak_memory_bytes()};
}

RankingRun run_ranking(const Arguments& arguments, const RankingPlan& plan, RankingWork work,
                       const Voice& voice, TraceFile& trace) {
  const std::vector<std::string> about_data(voice.warnings().begin(), voice.warnings().end());
  describe_command(arguments, all_values(plan), voice);
  RankingRun run{.facts = std::move(work.facts),
                 .names = std::move(work.names),
                 .ranking = {},
                 .selected = {},
                 .listed = {}};
  describe_data(run.facts, voice);
  describe_paper(plan, voice);

  if (plan.bagging && plan.method->info.selects_subset)
    voice.warn(fmt::format("only the ranking of {} is bagged: the subsets of members are not kept",
                           plan.name()));

  trace.begin(json_of(task_of(arguments, plan, run.facts)));
  const Stopwatch watch;
  {
    const Listener listener(arguments, voice, trace);
    run.ranking =
        naming_file(arguments.operands.front(), [&] { return work.rank(listener.run()); });
  }
  run.seconds = watch.seconds();
  trace.commit();
  std::vector<std::string>& warnings = run.ranking.diagnostics.warnings;
  warnings.insert(warnings.begin(), about_data.begin(), about_data.end());

  describe_method(plan, run.ranking.better, voice);
  run.selected = plan.selected(run.ranking);
  if (run.selected) run.selected = with_whole_groups(*run.selected, work.groups);
  run.listed = plan.wanted.is_all() ? run.ranking.order : *run.selected;
  check_top(plan, run, voice);
  describe_outcome(task_of(arguments, plan, run.facts), run.ranking, voice);
  describe_cost(run.seconds, voice);
  return run;
}

}  // namespace tamis::cli
