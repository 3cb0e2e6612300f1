#include "tamis/methods/ridge_omp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "methods/preconditions.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "methods/ridge_omp/shadow_columns.hpp"

namespace tamis {
namespace {

void warn_of_one_class(const Problem& problem, Diagnostics& diagnostics) {
  if (rows_by_class(problem.known).size() != 1) return;
  diagnostics.warnings.emplace_back(
      "ridge_omp: only one class is labeled; its rows count as must-linked");
}

void warn_if_cut(const RidgeOmpOptions& options, const Matching& matching,
                 Diagnostics& diagnostics) {
  const Index chosen = std::ssize(matching.chosen);
  if (chosen >= options.n_greedy || options.n_greedy == RidgeOmpOptions{}.n_greedy) return;
  diagnostics.warnings.push_back(
      fmt::format("ridge_omp: n_greedy = {} is cut to the {} feature{} that {} something",
                  options.n_greedy, chosen, chosen == 1 ? "" : "s", chosen == 1 ? "adds" : "add"));
}

/// The candidates that were not chosen by their gain as a first choice, largest first; by column
/// where it differs by rounding.
std::vector<Index> by_first_gain(const Matching& matching, const WeightedColumns& candidates) {
  std::vector<bool> is_chosen(candidates.table->cols(), false);
  for (const Index column : matching.chosen) is_chosen[column] = true;
  struct Place {
    Index column;
    double gain;
  };
  std::vector<Place> rest;
  for (std::size_t s = 0; s < candidates.columns.size(); ++s)
    if (!is_chosen[candidates.columns[s]])
      rest.push_back({candidates.columns[s], matching.first_gains[s]});
  const auto comes_first = [](const Place& a, const Place& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.column < b.column;
  };
  std::ranges::sort(rest, comes_first);
  const double same = 1.0 - tie_tolerance(*candidates.table);
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i].gain >= same * rest[i - 1].gain) rest[i].gain = rest[i - 1].gain;
  std::ranges::sort(rest, comes_first);
  std::vector<Index> columns;
  for (const Place& place : rest) columns.push_back(place.column);
  return columns;
}

/// The gain of each chosen feature when it was chosen, of the others as a first choice.
std::vector<double> scores_of(const Matching& matching, const WeightedColumns& candidates) {
  std::vector<double> scores(candidates.table->cols(), kUndefined);
  for (std::size_t s = 0; s < candidates.columns.size(); ++s)
    scores[candidates.columns[s]] = matching.first_gains[s];
  for (std::size_t t = 0; t < matching.chosen.size(); ++t)
    scores[matching.chosen[t]] = matching.gains[t];
  return scores;
}

}  // namespace

Ranking ridge_omp(const Problem& problem, const RidgeOmpOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem, diagnostics);
  warn_of_one_class(problem, diagnostics);
  const RankedTable z(problem.matrix);
  const MatchingTarget target(problem.known, z, options.target, run.seed, diagnostics);
  const std::vector<double> weights = target.weights(z);
  WeightedColumns candidates{.table = &z};
  for (Index r = 0; r < problem.cols(); ++r) {
    if (!varies[r]) continue;
    candidates.columns.push_back(r);
    candidates.weights.push_back(weights[r]);
  }
  const ShadowColumns shadows = draw_shadows(run, z, candidates.columns, options.n_shadows);
  Matching matching = match_orthogonally(
      candidates, target.values(),
      {.steps = options.n_greedy, .nugget = target.nugget(options.nugget)},
      shadows.weighted(shadows.table ? target.weights(*shadows.table) : std::vector<double>()),
      run.progress);
  record_choices(run.trace, matching);
  warn_if_cut(options, matching, diagnostics);
  warn_if_none_is_worth_it(options.info.name, matching, diagnostics);
  diagnostics.iterations = static_cast<int>(matching.chosen.size());
  diagnostics.figures.emplace_back("reliability", target.reliability());
  Ranking ranking =
      rank_features(scores_of(matching, candidates), Better::higher, std::move(diagnostics),
                    "ridge_omp: every column of the table is constant");
  move_to_front(by_first_gain(matching, candidates), ranking.order);
  move_to_front(matching.chosen, ranking.order);
  ranking.curve = std::move(matching.curve);
  return ranking;
}

}  // namespace tamis
