#pragma once

#include "cli/console/command.hpp"
#include "plan/ranking_plan.hpp"

namespace tamis::cli {

/// The method that flags choose, checked before any file is read.
/// @throws InvalidArgument for anything wrong with the method, its options, --bagging and what
/// belongs to it, --diversify, --top or --seed
/// @param without_top what is wanted if --top does not say
RankingPlan choose_method(const Arguments& arguments, const WantedFeatures& without_top = {});

}  // namespace tamis::cli
