#include "tamis/methods/ridge_omp.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "methods/preconditions.hpp"
#include "methods/ridge_omp/given_folds.hpp"
#include "methods/ridge_omp/levels_in_memory.hpp"
#include "methods/ridge_omp/matched_ranking.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"

namespace tamis {
namespace {

WeightedColumns weighted_columns(const RankedTable& z, const std::vector<bool>& varies,
                                 const std::vector<double>& weights) {
  WeightedColumns candidates{.table = &z};
  for (Index r = 0; r < z.cols(); ++r) {
    if (!varies[r]) continue;
    candidates.columns.push_back(r);
    candidates.weights.push_back(weights[r]);
  }
  return candidates;
}

}  // namespace

Ranking ridge_omp_in_folds(const Problem& problem, const RidgeOmpOptions& options, const Run& run,
                           const GivenFolds& folds) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  Diagnostics diagnostics = first_diagnostics(problem.known);
  const RankedTable z(problem.matrix, run.forget);  // nothing below reads the table itself
  const MatchingTarget target(problem.known, z, options.target, run.seed, diagnostics);
  const WeightedColumns candidates = weighted_columns(z, varies, target.weights());
  std::unique_ptr<Judgement> judgement;
  if (options.relevance.is_wanted())
    judgement = judge_table(options.info.name, problem, z, target, candidates.columns,
                            options.relevance, run, folds);
  const MatchingRules rules =
      matching_rules(options, target.nugget(options.nugget), candidates.columns, judgement.get());
  const Matching matching = match_orthogonally(candidates, target.values(), rules, run.progress);
  diagnostics.figures.emplace_back("reliability", target.reliability());
  return ranking_of({.matching = matching,
                     .candidates = candidates.columns,
                     .cols = z.cols(),
                     .tie_tolerance = tie_tolerance(z),
                     .nugget = rules.nugget,
                     .judgement = judgement.get(),
                     .table = z,
                     .known = problem.known,
                     .feature_names = problem.feature_names},
                    options, run, std::move(diagnostics));
}

Ranking ridge_omp(const Problem& problem, const RidgeOmpOptions& options, const Run& run) {
  if (options.ranks == Ranks::levels) return ridge_omp_on_levels(problem, options, run);
  return ridge_omp_in_folds(problem, options, run, std::nullopt);
}

}  // namespace tamis
