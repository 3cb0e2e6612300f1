#include "streaming/streamed_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/option_texts.hpp"
#include "streaming/condensed_ranking.hpp"
#include "streaming/known_rows_ranking.hpp"
#include "streaming/streamed_ridge_omp.hpp"
#include "streaming/streamed_variance.hpp"
#include "streaming/streamed_weighted_kmeans.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/ridge_omp.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

using Start = std::unique_ptr<RankingConversation> (*)(const StreamedPlan&, StreamedProblem,
                                                       std::uint64_t seed);

template <class Options>
std::unique_ptr<RankingConversation> start_weighted(const StreamedPlan& streamed,
                                                    StreamedProblem problem, std::uint64_t seed) {
  const auto options = parse_options<Options>(streamed.plan.name(), streamed.plan.options);
  return for_ranking(
      streamed_weights(options, std::move(problem), {}, seed, StreamedWeights::For::ranking));
}

/// The only list of methods that have passes of their own.
constexpr std::array<std::pair<std::string_view, Start>, 4> kConversations{{
    {RidgeOmpOptions::info.name,
     [](const StreamedPlan& streamed, StreamedProblem problem,
        std::uint64_t seed) -> std::unique_ptr<RankingConversation> {
       const auto options =
           parse_options<RidgeOmpOptions>(streamed.plan.name(), streamed.plan.options);
       return std::make_unique<StreamedRidgeOmp>(std::move(problem), options, seed,
                                                 streamed.warning);
     }},
    {VarianceOptions::info.name,
     [](const StreamedPlan&, StreamedProblem problem,
        std::uint64_t) -> std::unique_ptr<RankingConversation> {
       return std::make_unique<StreamedVariance>(std::move(problem));
     }},
    {WckmOptions::info.name, start_weighted<WckmOptions>},
    {L2gfsOptions::info.name, start_weighted<L2gfsOptions>},
}};

/// Whether the options have the values on which it depends.
bool holds(std::string_view condition, const RankingPlan& plan) {
  if (condition.empty()) return true;
  const std::string_view option = condition.substr(0, condition.find('='));
  return std::ranges::any_of(plan.resolved(), [&](const auto& given) {
    return given.first == option &&
           fmt::format("{}={}", given.first, to_text(given.second)) == condition;
  });
}

std::string why_not(const RankingPlan& plan) {
  const MethodInfo& method = plan.method->info;
  if (method.streams == Streams::no)
    return fmt::format("{} looks at all rows at once", method.name);
  if (!holds(method.streams_if, plan))
    return fmt::format("{} looks at all rows at once, but not if {}", method.name,
                       method.streams_if);
  if (plan.bagging && method.streams != Streams::known_rows)
    return fmt::format("the members of an ensemble of {} draw from all rows", method.name);
  if (plan.diversify) return "diversify looks at all rows at once";
  return "";
}

}  // namespace

StreamedPlan streamed_plan(RankingPlan plan) {
  const MethodInfo& method = plan.method->info;
  if (method.streams != Streams::passes || holds(method.streams_if, plan)) return {std::move(plan)};
  const std::size_t equals = method.streams_if.find('=');
  const std::string option(method.streams_if.substr(0, equals));
  const std::string value(method.streams_if.substr(equals + 1));
  if (!plan.options.try_emplace(option, value).second) return {std::move(plan)};
  std::string warning = fmt::format("{}: {} = {}, because the table is read in runs of rows",
                                    method.name, option, value);
  return {std::move(plan), std::move(warning)};
}

bool streams(const RankingPlan& plan) { return why_not(streamed_plan(plan).plan).empty(); }

std::unique_ptr<RankingConversation> streamed_ranking(const RankingPlan& given,
                                                      StreamedProblem problem, std::uint64_t seed) {
  const StreamedPlan streamed = streamed_plan(given);
  const RankingPlan& plan = streamed.plan;
  if (const std::string reason = why_not(plan); !reason.empty())
    throw InvalidArgument(reason, {Remedy::Action::sample_rows});
  check_problem(problem);
  if (plan.method->info.streams == Streams::known_rows)
    return std::make_unique<KnownRowsRanking>(plan, std::move(problem));
  if (plan.method->info.streams == Streams::condensed)
    return std::make_unique<CondensedRanking>(plan, std::move(problem), seed);
  const auto found =
      std::ranges::find(kConversations, plan.name(), &std::pair<std::string_view, Start>::first);
  return found->second(streamed, std::move(problem), seed);
}

}  // namespace tamis
