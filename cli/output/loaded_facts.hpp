#pragma once

#include "cli/commands/load.hpp"
#include "results/ranking_result.hpp"

namespace tamis::cli {

/// What was read, for the member "data" of JSON objects.
ProblemFacts loaded_facts(const Arguments& arguments, const LoadedProblem& data);

}  // namespace tamis::cli
