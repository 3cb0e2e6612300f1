#pragma once

#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/core/run.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

class LevelRanking;

/// Puts all questions to a table in memory.
void ask(LevelRanking& ranking, const MatrixView& table, const Progress& progress);

/// ridge_omp with ranks = levels, so.
Ranking ridge_omp_on_levels(const Problem& problem, const RidgeOmpOptions& options, const Run& run);

}  // namespace tamis
