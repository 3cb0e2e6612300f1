#include "streaming/streamed_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/option_texts.hpp"
#include "registry/method_call.hpp"
#include "streaming/condensed_ranking.hpp"
#include "streaming/known_rows_ranking.hpp"
#include "streaming/streamed_csfsr.hpp"
#include "streaming/streamed_diversity.hpp"
#include "streaming/streamed_ridge_omp.hpp"
#include "streaming/streamed_variance.hpp"
#include "streaming/streamed_weighted_kmeans.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/ridge_omp.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

using Start = std::unique_ptr<RankingConversation> (*)(const RankingPlan&, StreamedProblem,
                                                       std::uint64_t seed);

template <class Options>
Options parsed(const RankingPlan& plan) {
  return parse_options<Options>(plan.name(), plan.options);
}

std::unique_ptr<RankingConversation> start_ridge_omp(const RankingPlan& plan,
                                                     StreamedProblem problem, std::uint64_t seed) {
  return std::make_unique<StreamedRidgeOmp>(std::move(problem), parsed<RidgeOmpOptions>(plan),
                                            seed);
}

std::unique_ptr<RankingConversation> start_variance(const RankingPlan& /*plan*/,
                                                    StreamedProblem problem,
                                                    std::uint64_t /*seed*/) {
  return std::make_unique<StreamedVariance>(std::move(problem));
}

template <class Options>
std::unique_ptr<RankingConversation> start_weighted(const RankingPlan& plan,
                                                    StreamedProblem problem, std::uint64_t seed) {
  return for_ranking(streamed_weights(parsed<Options>(plan), std::move(problem), {}, seed,
                                      StreamedWeights::For::ranking));
}

std::unique_ptr<RankingConversation> start_csfsr(const RankingPlan& plan, StreamedProblem problem,
                                                 std::uint64_t seed) {
  auto base = streamed_ranking(*base_of(plan), problem, seed);
  return std::make_unique<StreamedCsfsr>(std::move(problem), parsed<CsfsrOptions>(plan),
                                         std::move(base), seed);
}

/// The only list of methods that have passes of their own.
constexpr std::array<std::pair<std::string_view, Start>, 5> kConversations{{
    {CsfsrOptions::info.name, start_csfsr},
    {L2gfsOptions::info.name, start_weighted<L2gfsOptions>},
    {RidgeOmpOptions::info.name, start_ridge_omp},
    {VarianceOptions::info.name, start_variance},
    {WckmOptions::info.name, start_weighted<WckmOptions>},
}};

/// Of a method that has passes, the option that it needs for them and that nobody has given.
std::optional<OptionSetting> missing_setting(const RankingPlan& plan) {
  const MethodInfo& method = plan.method->info;
  if (method.streams != Streams::passes || plan.has_streaming_options()) return std::nullopt;
  const std::size_t equals = method.streams_if.find('=');
  const OptionSetting setting{method.streams_if.substr(0, equals),
                              method.streams_if.substr(equals + 1)};
  if (plan.options.contains(std::string(setting.option))) return std::nullopt;
  return setting;
}

std::string warning_of(std::string_view who, const OptionSetting& setting) {
  return fmt::format("{}: {} = {}, because the table is read in runs of rows", who, setting.option,
                     setting.value);
}

std::string why_not(const RankingPlan& plan) {
  const MethodInfo& method = plan.method->info;
  if (method.streams == Streams::no)
    return fmt::format("{} looks at all rows at once", method.name);
  if (!plan.has_streaming_options())
    return fmt::format("{} looks at all rows at once, but not if {}", method.name,
                       method.streams_if);
  if (plan.bagging && method.streams != Streams::known_rows)
    return fmt::format("the members of an ensemble of {} draw from all rows", method.name);
  const std::optional<RankingPlan> base = base_of(plan);
  const std::string reason = base ? why_not(streamed_plan(*base).plan) : "";
  return reason.empty() ? "" : fmt::format("{}: {}: {}", method.name, method.base_option, reason);
}

/// By the method alone.
std::unique_ptr<RankingConversation> begin(const RankingPlan& plan, StreamedProblem problem,
                                           std::uint64_t seed) {
  if (plan.method->info.streams == Streams::known_rows)
    return std::make_unique<KnownRowsRanking>(plan, std::move(problem));
  if (plan.method->info.streams == Streams::condensed)
    return std::make_unique<CondensedRanking>(plan, std::move(problem), seed);
  const auto found =
      std::ranges::find(kConversations, plan.name(), &std::pair<std::string_view, Start>::first);
  return found->second(plan, std::move(problem), seed);
}

}  // namespace

StreamedPlan streamed_plan(RankingPlan given) {
  StreamedPlan streamed{.plan = std::move(given)};
  RankingPlan& plan = streamed.plan;
  if (const auto setting = missing_setting(plan)) {
    plan.options.emplace(setting->option, setting->value);
    streamed.warnings.push_back(warning_of(plan.name(), *setting));
  }
  if (const auto base = base_of(plan))
    if (const auto setting = missing_setting(*base)) {
      plan.options.insert_or_assign(std::string(plan.method->info.base_option),
                                    with_options(*base_call(plan), std::span(&*setting, 1)));
      streamed.warnings.push_back(warning_of(base->name(), *setting));
    }
  if (plan.diversify && plan.diversify->ranks != Ranks::levels) {
    plan.diversify->ranks = Ranks::levels;
    streamed.warnings.push_back(warning_of("diversify", {"ranks", word_of(Ranks::levels)}));
  }
  return streamed;
}

bool streams(const RankingPlan& plan) { return why_not(streamed_plan(plan).plan).empty(); }

std::unique_ptr<RankingConversation> streamed_ranking(const RankingPlan& given,
                                                      StreamedProblem problem, std::uint64_t seed) {
  const auto& [plan, warnings] = streamed_plan(given);
  if (const std::string reason = why_not(plan); !reason.empty())
    throw InvalidArgument(reason, {Remedy::Action::sample_rows});
  check_problem(problem);
  RankingPlan plain = plan;
  plain.diversify.reset();
  std::unique_ptr<RankingConversation> conversation;
  if (plan.diversify)
    conversation = std::make_unique<StreamedDiversity>(problem, *plan.diversify,
                                                       begin(plain, problem, seed), seed);
  else
    conversation = begin(plain, std::move(problem), seed);
  for (const std::string& warning : warnings) conversation->warn(warning);
  return conversation;
}

}  // namespace tamis
