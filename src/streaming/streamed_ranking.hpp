#pragma once

#include <memory>

#include "plan/ranking_plan.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// Whether a plan ranks a table of which a run of rows is in memory at a time.
bool streams(const RankingPlan& plan);

/// How it does. @param seed of what it draws before it asks
/// @throws InvalidArgument if it does not, saying why; DataError as check_problem, but for values
std::unique_ptr<Conversation> streamed_ranking(const RankingPlan& plan, StreamedProblem problem,
                                               std::uint64_t seed = 0);

}  // namespace tamis
