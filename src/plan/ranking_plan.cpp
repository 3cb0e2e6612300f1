#include "plan/ranking_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/option_texts.hpp"
#include "prepare/column_units.hpp"
#include "prepare/feature_groups.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The value that an option of the method has, if there is such an option.
std::optional<OptionValue> value_of(const RankingPlan& plan, std::string_view option) {
  for (const auto& [name, value] : plan.resolved())
    if (name == option) return value;
  return std::nullopt;
}

/// The level at which the method judges features; 1 if it does not.
double level_of(const RankingPlan& plan) {
  return std::get<double>(value_of(plan, plan.method->info.level_option).value_or(1.0));
}

/// Whether the method is not the last that looks at the table.
bool reads_on(const RankingPlan& plan) {
  const MethodInfo& method = plan.method->info;
  return plan.bagging || plan.diversify || method.measures_distances || !method.base_option.empty();
}

/// A method that chooses one feature after the other goes as far as features are wanted.
void lengthen(RankingPlan& plan) {
  const std::string option(plan.method->info.length_option);
  const auto length = value_of(plan, option);
  if (length && plan.wanted.count && *plan.wanted.count > std::get<Index>(*length))
    plan.options.try_emplace(option, std::to_string(*plan.wanted.count));
}

void follow_paper(RankingPlan& plan) {
  for (const auto& [option, value] : plan.paper())
    plan.options.try_emplace(std::string(option), value);
}

void check_votes(const RankingPlan& plan) {
  const std::string_view vote = plan.method->info.vote_option;
  if (!std::get<bool>(value_of(plan, vote).value_or(false))) return;
  if (!plan.lets_vote)
    throw InvalidArgument(
        fmt::format("{}: {} = true is about predicting classes, and a ranking predicts none; "
                    "evaluate the method",
                    plan.name(), vote));
  if (plan.bagging || plan.diversify)
    throw InvalidArgument(
        fmt::format("{}: {} = true leaves nothing to {}: its members go by their "
                    "own rankings",
                    plan.name(), vote, plan.bagging ? "bag" : "diversify"));
}

void check_wishes(const RankingPlan& plan) {
  check_votes(plan);
  if (plan.diversify && plan.selects_subset())
    throw InvalidArgument(
        fmt::format("diversify: {} removes what repeats a better feature itself; choose a method "
                    "that ranks",
                    plan.name()));
  if (!plan.wanted.judged) return;
  const std::string_view wish = word_of(*plan.wanted.judged);
  if (plan.selects_subset() && *plan.wanted.judged == Judged::backed) return;
  if (!plan.counts_features())
    throw InvalidArgument(fmt::format(
        "top = {}: {}{} does not say how many features are worth keeping; diversify its ranking, "
        "or give a number",
        wish, plan.name(), plan.bagging ? ", bagged," : ""));
  if (!plan.diversify && level_of(plan) == 1.0)
    throw InvalidArgument(fmt::format("top = {}: no feature is judged if {} = 1", wish,
                                      plan.method->info.level_option));
}

}  // namespace

std::vector<OptionSetting> RankingPlan::paper() const {
  std::vector<OptionSetting> set(method->info.paper.begin(), method->info.paper.end());
  if (!lets_vote)
    std::erase_if(set,
                  [&](const OptionSetting& one) { return one.option == method->info.vote_option; });
  return set;
}

bool RankingPlan::counts_features() const {
  return diversify || (!bagging && method->info.counts_features);
}

bool RankingPlan::has_streaming_options() const {
  const std::string_view condition = method->info.streams_if;
  if (condition.empty()) return true;
  const auto value = value_of(*this, condition.substr(0, condition.find('=')));
  return value && to_text(*value) == condition.substr(condition.find('=') + 1);
}

std::string RankingPlan::first_ranking() const {
  std::string words(name());
  const auto add = [&](const NamedValues& values) {
    for (const auto& [option, value] : values)
      words += fmt::format(",{}={}", option, to_text(value));
  };
  add(resolved());
  if (bagging) add(resolved_values(*bagging));
  return words;
}

Ranking RankingPlan::rank(const Problem& problem, const Run& run) const {
  const Ranker ranker = [this](const Problem& part, const Run& of_part) {
    return method->rank(part, options, of_part);
  };
  Run of_first = run;
  if (reads_on(*this)) of_first.forget = nullptr;
  const auto first = [&] {
    return bagging ? tamis::bagging(problem, *bagging, ranker, of_first)
                   : ranker(problem, of_first);
  };
  Ranking ranking = run.recall ? run.recall(first_ranking(), first) : first();
  if (method->info.measures_distances)
    if (const auto warning = differing_units(problem))
      ranking.diagnostics.warnings.push_back(fmt::format("{}; {}", *warning, units_remedy));
  if (diversify) ranking = tamis::diversify(problem, std::move(ranking), *diversify, run);
  return by_groups(std::move(ranking), problem.feature_groups);
}

std::optional<std::vector<Index>> RankingPlan::selected(const Ranking& ranking) const {
  std::vector<Index> best = ranking.subset.value_or(ranking.order);
  if (wanted.judged && ranking.relevance) {
    const Relevance& judged = *ranking.relevance;
    if (*wanted.judged == Judged::backed)
      best.resize(judged.n_backed);
    else
      std::erase_if(best, [&](Index column) { return !(judged.q[column] <= judged.fdr); });
    return best;
  }
  const auto count = for_features(*this, std::ssize(ranking.scores)).wanted.count;
  if (!count) return ranking.subset;
  best.resize(std::min(best.size(), static_cast<std::size_t>(*count)));
  return best;
}

std::optional<double> parse_percent(std::string_view who, std::string_view name,
                                    std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const char* const end = text.data() + text.size() - 1;
  double percent = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc{} || stop != end || !(percent > 0.0 && percent <= 100.0))
    throw InvalidArgument(fmt::format(
        "{}: {} = '{}' is no share of the features: it must be more than 0% and at most 100%", who,
        name, text));
  return percent;
}

Index share_of(double percent, Index n_features) {
  constexpr double kRounding = 1e-12;  // 7 % of 100 features are 7, whatever 0.07 * 100 is
  const double wanted = percent * static_cast<double>(n_features) / 100.0;
  return static_cast<Index>(std::ceil(wanted * (1.0 - kRounding)));
}

RankingPlan for_features(RankingPlan plan, Index n_features) {
  if (!plan.wanted.percent) return plan;
  plan.wanted = {.count = share_of(*plan.wanted.percent, n_features)};
  lengthen(plan);
  return plan;
}

RankingPlan completed(RankingPlan plan) {
  if (plan.settings == Settings::paper) follow_paper(plan);
  lengthen(plan);
  if (plan.wanted.judged && plan.diversify) {
    const double of_method = level_of(plan);
    plan.diversify->relevance.fdr = of_method < 1.0 ? of_method : RelevanceOptions{}.fdr;
  }
  plan.resolved();
  if (plan.diversify && plan.method->info.streams == Streams::passes &&
      !plan.method->info.streams_if.empty() && plan.has_streaming_options())
    plan.diversify->ranks = Ranks::levels;
  check_wishes(plan);
  return plan;
}

}  // namespace tamis
