#pragma once

#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/core/run.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// ridge_omp with ranks = levels: all questions of LevelRanking put to a table in memory.
Ranking ridge_omp_on_levels(const Problem& problem, const RidgeOmpOptions& options, const Run& run);

}  // namespace tamis
