#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plan/ranking_plan.hpp"
#include "streaming/checkpoint.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// Numbers, in a few digits.
std::string digest(std::span<const double> numbers);

/// What the answers of a table depend on: whoever goes on from a checkpoint must have the same.
/// @param fingerprint of the source
/// @param choices what it is asked for: a method, and every option
Checkpoint::Facts checkpoint_facts(std::string version, const StreamedProblem& problem,
                                   std::string fingerprint, std::uint64_t seed,
                                   const NamedValues& choices);
/// The same of what a plan asks.
Checkpoint::Facts checkpoint_facts(std::string version, const RankingPlan& plan,
                                   const StreamedProblem& problem, std::string fingerprint,
                                   std::uint64_t seed);

/// Its passes, of which short memory makes more: to be asked once it is planned.
Checkpoint::Facts::value_type fact_of_passes(const Conversation& conversation);

}  // namespace tamis
