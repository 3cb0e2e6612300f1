#pragma once

#include "prepare/missing.hpp"
#include "python/kept_ranking.hpp"
#include "tamis/core/run.hpp"

namespace tamis::python {

/// What is to be done about a table before its features are ranked, and what they stand for.
struct Preparation {
  Missing missing = Missing::refuse;
  std::vector<Index> groups = {};  ///< Problem::feature_groups
};

/// Ranks the features of a table as the program does. Columns that are left out stay in the
/// ranking, without a score, so that its columns are those of the table that the user has.
KeptRanking rank_prepared(const RankingPlan& plan, Problem problem, const Preparation& preparation,
                          const Run& run);

}  // namespace tamis::python
