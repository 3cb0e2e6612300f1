#include "plan/diversify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/relevance/judgement.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kName = "diversify";

void check(const DiversifyOptions& options) {
  if (options.n_candidates < 1)
    throw InvalidArgument(
        fmt::format("diversify: {} candidates; at least 1 is needed", options.n_candidates));
  check_ranges(kName, options.target);
  check_ranges(kName, options.relevance);
}

/// Why the candidates stand where they do.
Diversity diversity_of(const Matching& matching, const std::vector<Index>& candidates,
                       Index n_cols) {
  Diversity diversity{.gain = std::vector(n_cols, kUndefined),
                      .nearest = std::vector<std::optional<Index>>(n_cols),
                      .correlation = std::vector(n_cols, kUndefined)};
  for (std::size_t t = 0; t < matching.chosen.size(); ++t)
    diversity.gain[matching.chosen[t]] = matching.gains[t];
  for (std::size_t s = 0; s < candidates.size(); ++s)
    if (const auto& [column, correlation] = matching.nearest[s]; column) {
      diversity.nearest[candidates[s]] = column;
      diversity.correlation[candidates[s]] = correlation;
    }
  return diversity;
}

}  // namespace

Ranking diversify(const Problem& problem, Ranking ranking, const DiversifyOptions& options,
                  const Run& run) {
  check(options);
  MethodInfo target_maker = RidgeOmpOptions::info;
  target_maker.name = kName;
  check_needs(target_maker, problem);
  const Index scored = std::ssize(ranking.order) - std::ssize(ranking.diagnostics.undefined);
  const Index count = std::min(options.n_candidates, scored);
  const RankedTable z(problem.matrix);
  const MatchingTarget target(problem.known, z, options.target, run.seed, ranking.diagnostics);
  WeightedColumns candidates{.table = &z,
                             .columns = {ranking.order.begin(), ranking.order.begin() + count}};
  for (Index i = 0; i < count; ++i)
    candidates.weights.push_back(1.0 - static_cast<double>(i) / static_cast<double>(count));
  const double nugget = target.nugget(options.nugget);
  const Matching matching = match_orthogonally(candidates, target.values(),
                                               {.steps = count, .nugget = nugget}, run.progress);
  record_choices(run.trace, matching);
  move_to_front(matching.chosen, ranking.order);
  ranking.diversity = diversity_of(matching, candidates.columns, problem.cols());
  ranking.relevance.reset();
  if (options.relevance.is_wanted()) {
    std::vector<Index> varying;
    for (Index r = 0; r < z.cols(); ++r)
      if (z.spread()[r] > 0.0) varying.push_back(r);
    ranking.relevance =
        judge_table(kName, problem.known, z, target, varying, options.relevance, run)
            ->relevance(matching.chosen, nugget);
    warn_of_random_labels(kName, *ranking.relevance, values_decide(problem.known),
                          ranking.diagnostics);
  }
  return ranking;
}

}  // namespace tamis
