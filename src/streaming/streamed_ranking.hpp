#pragma once

#include <memory>
#include <optional>
#include <string>

#include "plan/ranking_plan.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// The plan as tables need it of which a run of rows is in memory at a time, and what there is to
/// say if it is another than was given: a method that has passes sets the option without which it
/// has none, unless that was given.
struct StreamedPlan {
  RankingPlan plan;
  std::optional<std::string> warning = std::nullopt;
};
StreamedPlan streamed_plan(RankingPlan plan);

/// Whether a plan, so completed, ranks such a table.
bool streams(const RankingPlan& plan);

/// How it does; the warning is one of the result's. @param seed of what it draws before it asks
/// @throws InvalidArgument if it does not, saying why; DataError as check_problem, but for values
std::unique_ptr<RankingConversation> streamed_ranking(const RankingPlan& plan,
                                                      StreamedProblem problem,
                                                      std::uint64_t seed = 0);

}  // namespace tamis
