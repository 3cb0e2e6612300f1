#pragma once

#include <cstdint>
#include <string>

#include "plan/ranking_plan.hpp"
#include "streaming/checkpoint.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// What the answers depend on that a plan gets from a table: whoever goes on from a checkpoint must
/// have the same.
/// @param fingerprint of the source
Checkpoint::Facts checkpoint_facts(std::string version, const RankingPlan& plan,
                                   const StreamedProblem& problem, std::string fingerprint,
                                   std::uint64_t seed);

}  // namespace tamis
