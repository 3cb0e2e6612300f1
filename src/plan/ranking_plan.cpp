#include "plan/ranking_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "prepare/column_units.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::optional<OptionValue> default_of(const Method& method, const std::string& option) {
  const auto found = std::ranges::find(method.options, option, &OptionInfo::name);
  if (found == method.options.end()) return std::nullopt;
  return found->default_value;
}

void check_wishes(const RankingPlan& plan) {
  if (plan.diversify && plan.selects_subset())
    throw InvalidArgument(
        fmt::format("diversify: {} removes what repeats a better feature itself; choose a method "
                    "that ranks",
                    plan.name()));
  if (!plan.wanted.is_automatic || plan.selects_subset()) return;
  if (!plan.counts_features())
    throw InvalidArgument(fmt::format(
        "top = auto: {}{} does not say how many features are worth keeping; diversify its ranking, "
        "or give a number",
        plan.name(), plan.bagging ? ", bagged," : ""));
  if (!plan.diversify && plan.options.at("n_shadows") == "0")
    throw InvalidArgument("top = auto: there is nothing to compare with if n_shadows = 0");
}

}  // namespace

bool RankingPlan::counts_features() const {
  return diversify || (!bagging && default_of(*method, "n_shadows"));
}

Ranking RankingPlan::rank(const Problem& problem, const Run& run) const {
  const Ranker ranker = [this](const Problem& part, const Run& of_part) {
    return method->rank(part, options, of_part);
  };
  Ranking ranking = bagging ? tamis::bagging(problem, *bagging, ranker, run) : ranker(problem, run);
  if (method->info.measures_distances)
    if (auto warning = differing_units(problem))
      ranking.diagnostics.warnings.push_back(std::move(*warning));
  return diversify ? tamis::diversify(problem, std::move(ranking), *diversify, run) : ranking;
}

std::optional<std::vector<Index>> RankingPlan::selected(const Ranking& ranking) const {
  if (!wanted.count && !(wanted.is_automatic && ranking.curve)) return ranking.subset;
  const Index count = wanted.count ? *wanted.count : std::max<Index>(1, ranking.curve->n_features);
  std::vector<Index> best = ranking.subset.value_or(ranking.order);
  best.resize(std::min(best.size(), static_cast<std::size_t>(count)));
  return best;
}

RankingPlan completed(RankingPlan plan) {
  const auto greedy = default_of(*plan.method, "n_greedy");
  if (greedy && plan.wanted.count && *plan.wanted.count > std::get<Index>(*greedy))
    plan.options.try_emplace("n_greedy", std::to_string(*plan.wanted.count));
  if (plan.wanted.is_automatic && plan.diversify)
    plan.diversify->n_shadows = kManyShadows;
  else if (plan.wanted.is_automatic && plan.counts_features())
    plan.options.try_emplace("n_shadows", std::to_string(kManyShadows));
  plan.resolved();
  check_wishes(plan);
  return plan;
}

}  // namespace tamis
