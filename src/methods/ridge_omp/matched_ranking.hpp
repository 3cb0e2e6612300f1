#pragma once

#include <span>

#include "methods/relevance/judgement.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// What ridge_omp found out, however it looked at the table.
struct MatchedColumns {
  const Matching& matching;
  std::span<const Index> candidates;  ///< the columns that vary
  Index cols = 0;
  double tie_tolerance = 0.0;
  double nugget = 0.0;
  const Judgement* judgement = nullptr;  ///< none where nothing is judged
  const RankedTable& table;              ///< that has the known rows at least
  const Knowledge& known;                ///< about its rows
  const std::vector<std::string>& feature_names;
};

/// What there is to say before the table is looked at.
Diagnostics first_diagnostics(const Knowledge& known);

/// Candidates that are relevant may be chosen, all where nothing is judged.
MatchingRules matching_rules(const RidgeOmpOptions& options, double nugget,
                             std::span<const Index> candidates, const Judgement* judgement);

/// The ranking that follows.
Ranking ranking_of(const MatchedColumns& matched, const RidgeOmpOptions& options, const Run& run,
                   Diagnostics diagnostics);

}  // namespace tamis
