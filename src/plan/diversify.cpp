#include "plan/diversify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "methods/ridge_omp/shadow_columns.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check(const DiversifyOptions& options) {
  if (options.n_candidates < 1)
    throw InvalidArgument(
        fmt::format("diversify: {} candidates; at least 1 is needed", options.n_candidates));
  if (options.n_shadows < 0)
    throw InvalidArgument(
        fmt::format("diversify: {} shadow columns; give 0 or more", options.n_shadows));
  check_ranges("diversify", options.target);
}

}  // namespace

Ranking diversify(const Problem& problem, Ranking ranking, const DiversifyOptions& options,
                  const Run& run) {
  check(options);
  const Index scored = std::ssize(ranking.order) - std::ssize(ranking.diagnostics.undefined);
  const Index count = std::min(options.n_candidates, scored);
  const RankedTable z(problem.matrix);
  const MatchingTarget target(problem.known, z, options.target, run.seed, ranking.diagnostics);
  WeightedColumns candidates{.table = &z,
                             .columns = {ranking.order.begin(), ranking.order.begin() + count}};
  for (Index i = 0; i < count; ++i)
    candidates.weights.push_back(1.0 - static_cast<double>(i) / static_cast<double>(count));
  const ShadowColumns shadows = draw_shadows(run, z, candidates.columns, options.n_shadows);
  std::vector<double> shadow_weights;
  for (const Index position : shadows.originals)
    shadow_weights.push_back(candidates.weights[position]);
  const MatchingRules rules{.steps = count, .nugget = target.nugget(options.nugget)};
  Matching matching = match_orthogonally(candidates, target.values(), rules,
                                         shadows.weighted(std::move(shadow_weights)), run.progress);
  record_choices(run.trace, matching);
  warn_if_none_is_worth_it("diversify", matching, ranking.diagnostics);
  move_to_front(matching.chosen, ranking.order);
  ranking.curve = std::move(matching.curve);
  return ranking;
}

}  // namespace tamis
