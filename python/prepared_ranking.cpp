#include "python/prepared_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "constraints/constraint_set.hpp"
#include "evaluation/data_set_facts.hpp"
#include "prepare/feature_groups.hpp"
#include "prepare/left_out_columns.hpp"
#include "prepare/subproblem.hpp"

namespace tamis::python {
namespace {

KeptRanking rank_complete(const RankingPlan& wanted, const Problem& problem, const Run& run) {
  check_problem(problem);
  const RankingPlan plan = for_features(wanted, problem.cols());
  const ConstraintSet constraints(problem.known, problem.rows());
  ProblemFacts data = problem_facts(problem);
  data.format = "array";
  data.must_link = constraints.n_must_link();
  data.cannot_link = constraints.n_cannot_link();
  const auto started = Clock::now();
  Ranking ranking = plan.rank(problem, run);
  KeptRanking kept = kept_ranking(plan, run.seed, std::move(data), problem.feature_names,
                                  std::move(ranking), started);
  if (kept.selected) kept.selected = with_whole_groups(*kept.selected, problem.feature_groups);
  kept.plane = row_plane(problem, kept.ranking);
  DataSetFacts facts = data_set_facts("", "", problem);
  kept.hash = std::move(facts.hash);
  kept.class_counts = std::move(facts.classes);
  return kept;
}

std::vector<std::string> numbered_names(Index count) {
  std::vector<std::string> names;
  for (Index r = 0; r < count; ++r) names.push_back(fmt::format("f{}", r));
  return names;
}

/// As a ranking of all columns of the whole table.
KeptRanking widened(KeptRanking kept, std::span<const Index> columns, const Problem& whole) {
  kept.ranking = among_all_columns(std::move(kept.ranking), columns, whole.cols());
  if (kept.selected)
    for (Index& column : *kept.selected) column = columns[column];
  if (kept.plane) {
    kept.plane->x_column = columns[kept.plane->x_column];
    kept.plane->y_column = columns[kept.plane->y_column];
  }
  kept.names = whole.feature_names;
  kept.task.data.features = whole.cols();
  return kept;
}

/// Of rows and columns that have all values.
KeptRanking rank_part(const RankingPlan& plan, const Problem& whole, const CompletePart& part,
                      const Run& run) {
  Problem named = whole;  // what is said of a column is right of the whole table
  if (named.feature_names.empty()) named.feature_names = numbered_names(whole.cols());
  const OwnedProblem complete = subproblem(named, part.rows, part.columns);
  return widened(rank_complete(plan, complete.problem(), run), part.columns, named);
}

KeptRanking rank_treated(const RankingPlan& plan, const Problem& problem,
                         const MissingValues& missing, Missing kind, const Run& run) {
  if (!fills_in(kind))
    return rank_part(plan, problem, complete_part(missing, kind, problem.matrix), run);
  const OwnedProblem complete = imputed(problem, all_indices(problem.rows()), kind, run.progress);
  return rank_complete(plan, complete.problem(), run);
}

}  // namespace

KeptRanking rank_prepared(const RankingPlan& plan, Problem problem, const Preparation& preparation,
                          const Run& run) {
  problem.feature_groups = preparation.groups;
  MissingValues missing;
  if (preparation.missing != Missing::refuse) missing = find_missing(problem.matrix);
  if (missing.cells == 0) return rank_complete(plan, problem, run);
  KeptRanking kept = rank_treated(plan, problem, missing, preparation.missing, run);
  auto& warnings = kept.ranking.diagnostics.warnings;
  warnings.insert(warnings.begin(), described(missing, preparation.missing, problem.feature_names));
  return kept;
}

}  // namespace tamis::python
