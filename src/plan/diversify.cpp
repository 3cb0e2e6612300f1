#include "plan/diversify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/relevance/judgement.hpp"
#include "methods/ridge_omp/level_ranking.hpp"
#include "methods/ridge_omp/levels_in_memory.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kName = "diversify";

/// The best features, feature number i of h with weight 1 - (i - 1)/h.
struct Candidates {
  std::vector<Index> columns = {};
  std::vector<double> weights = {};
};

Candidates candidates_of(const Ranking& ranking, Index wanted) {
  const Index scored = std::ssize(ranking.order) - std::ssize(ranking.diagnostics.undefined);
  const Index count = std::min(wanted, scored);
  Candidates best{.columns = {ranking.order.begin(), ranking.order.begin() + count}};
  for (Index i = 0; i < count; ++i)
    best.weights.push_back(1.0 - static_cast<double>(i) / static_cast<double>(count));
  return best;
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

/// The ranking with its candidates in the order in which they were chosen.
Ranking reordered(Ranking ranking, const std::vector<Index>& candidates, const Matching& matching,
                  const Run& run) {
  record_choices(run.trace, matching);
  move_to_front(matching.chosen, ranking.order);
  ranking.diversity = diversity_of(matching, candidates, std::ssize(ranking.scores));
  ranking.relevance.reset();
  return ranking;
}

void set_relevance(Ranking& ranking, const Judgement& judgement, const Matching& matching,
                   double nugget, const Knowledge& known) {
  ranking.relevance = judgement.relevance(matching.chosen, nugget);
  warn_of_random_labels(kName, *ranking.relevance, values_decide(known), ranking.diagnostics);
}

Ranking diversify_on_levels(const Problem& problem, Ranking ranking,
                            const DiversifyOptions& options, const Run& run) {
  LevelRanking levels(problem.rows(), problem.cols(), problem.known, level_options(options),
                      run.seed, diversify_info());
  levels.set_feature_groups(problem.feature_groups);
  ask(levels, problem.matrix, run.progress);
  return diversify(levels, problem.known, std::move(ranking), options, run);
}

}  // namespace

MethodInfo diversify_info() {
  MethodInfo target_maker = RidgeOmpOptions::info;
  target_maker.name = kName;
  return target_maker;
}

RidgeOmpOptions level_options(const DiversifyOptions& options) {
  return {.nugget = options.nugget,
          .ranks = Ranks::levels,
          .target = options.target,
          .relevance = options.relevance};
}

void check_diversify(const DiversifyOptions& options, const Knowledge& known) {
  if (options.n_candidates < 1)
    throw InvalidArgument(
        fmt::format("diversify: {} candidates; at least 1 is needed", options.n_candidates));
  check_ranges(kName, options.target);
  check_ranges(kName, options.relevance);
  check_needs(diversify_info(),
              Problem{.matrix = DenseView<double>(nullptr, 0, 0), .known = known});
}

Ranking diversify(LevelRanking& levels, const Knowledge& known, Ranking ranking,
                  const DiversifyOptions& options, const Run& run) {
  levels.note_knowledge(ranking.diagnostics);
  const Candidates candidates = candidates_of(ranking, options.n_candidates);
  const double nugget = levels.nugget();
  const Matching matching =
      levels.match(candidates.columns, candidates.weights,
                   {.steps = std::ssize(candidates.columns), .nugget = nugget}, run.progress);
  ranking = reordered(std::move(ranking), candidates.columns, matching, run);
  if (const auto judgement = levels.judgement(run))
    set_relevance(ranking, *judgement, matching, nugget, known);
  return ranking;
}

Ranking diversify(const Problem& problem, Ranking ranking, const DiversifyOptions& options,
                  const Run& run) {
  check_diversify(options, problem.known);
  if (options.ranks == Ranks::levels)
    return diversify_on_levels(problem, std::move(ranking), options, run);
  const RankedTable z(problem.matrix);
  const MatchingTarget target(problem.known, z, options.target, run.seed, ranking.diagnostics);
  auto [columns, weights] = candidates_of(ranking, options.n_candidates);
  const WeightedColumns candidates{
      .table = &z, .columns = std::move(columns), .weights = std::move(weights)};
  const double nugget = target.nugget(options.nugget);
  const Matching matching =
      match_orthogonally(candidates, target.values(),
                         {.steps = std::ssize(candidates.columns), .nugget = nugget}, run.progress);
  ranking = reordered(std::move(ranking), candidates.columns, matching, run);
  if (options.relevance.is_wanted()) {
    std::vector<Index> varying;
    for (Index r = 0; r < z.cols(); ++r)
      if (z.spread()[r] > 0.0) varying.push_back(r);
    set_relevance(ranking, *judge_table(kName, problem, z, target, varying, options.relevance, run),
                  matching, nugget, problem.known);
  }
  return ranking;
}

}  // namespace tamis
