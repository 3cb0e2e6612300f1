#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/ranking_plan.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// The plan as tables need it of which a run of rows is in memory at a time, and what there is to
/// say if it is another than was given: a method that has passes sets the option without which it
/// has none, unless that was given, and so does the base of a method; a more diverse order is found
/// by levels.
struct StreamedPlan {
  RankingPlan plan;
  std::vector<std::string> warnings = {};
};
StreamedPlan streamed_plan(RankingPlan plan);

/// Whether a plan, so completed, ranks such a table.
bool streams(const RankingPlan& plan);

/// How it does; the warnings are among those of the result. @param seed of what it draws before it
/// asks
/// @throws InvalidArgument if it does not, saying why; DataError as check_problem, but for values
std::unique_ptr<RankingConversation> streamed_ranking(const RankingPlan& plan,
                                                      StreamedProblem problem,
                                                      std::uint64_t seed = 0);

}  // namespace tamis
