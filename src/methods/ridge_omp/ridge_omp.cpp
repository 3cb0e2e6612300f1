#include "tamis/methods/ridge_omp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "methods/preconditions.hpp"
#include "methods/ridge_omp/given_folds.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "methods/ridge_omp/orthogonal_matching.hpp"

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

/// The candidates that were not chosen: by p, to nine decimals of its logarithm, where columns are
/// judged, then by their gain as a first choice, then, also where that differs by rounding, by
/// column.
std::vector<Index> not_chosen(const Matching& matching, const WeightedColumns& candidates,
                              const Judgement* judgement) {
  struct Place {
    Index column;
    double log_p;
    double gain;
  };
  const std::set<Index> chosen(matching.chosen.begin(), matching.chosen.end());
  std::vector<Place> rest;
  for (std::size_t s = 0; s < candidates.columns.size(); ++s) {
    const Index column = candidates.columns[s];
    if (chosen.contains(column)) continue;
    const double log_p = judgement ? std::round(1e9 * judgement->log_p()[column]) : 0.0;
    rest.push_back({column, log_p, matching.first_gains[s]});
  }
  const auto comes_first = [](const Place& a, const Place& b) {
    if (a.log_p != b.log_p) return a.log_p < b.log_p;
    return a.gain != b.gain ? a.gain > b.gain : a.column < b.column;
  };
  std::ranges::sort(rest, comes_first);
  const double same = 1.0 - tie_tolerance(*candidates.table);
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i].log_p == rest[i - 1].log_p && rest[i].gain >= same * rest[i - 1].gain)
      rest[i].gain = rest[i - 1].gain;
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

/// The positions of relevant candidates; unset where nothing is judged.
std::optional<std::vector<Index>> relevant_of(const WeightedColumns& candidates,
                                              const std::optional<Judgement>& judgement) {
  if (!judgement) return std::nullopt;
  std::vector<Index> positions;
  for (Index s = 0; s < std::ssize(candidates.columns); ++s)
    if (judgement->is_relevant(candidates.columns[s])) positions.push_back(s);
  return positions;
}

}  // namespace

Ranking ridge_omp_in_folds(const Problem& problem, const RidgeOmpOptions& options, const Run& run,
                           const GivenFolds& folds) {
  check_ranges(options.info.name, options);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem, diagnostics);
  warn_of_one_class(problem, diagnostics);
  const RankedTable z(problem.matrix);
  const MatchingTarget target(problem.known, z, options.target, run.seed, diagnostics);
  const double nugget = target.nugget(options.nugget);
  const WeightedColumns candidates = weighted_columns(z, varies, target.weights());
  std::optional<Judgement> judgement;
  if (options.relevance.is_wanted())
    judgement.emplace(options.info.name, problem.known, z, target, candidates.columns,
                      options.relevance, run, folds);
  const Matching matching = match_orthogonally(
      candidates, target.values(),
      {.steps = options.n_greedy, .nugget = nugget, .allowed = relevant_of(candidates, judgement)},
      run.progress);
  record_choices(run.trace, matching);
  if (!judgement) warn_if_cut(options, matching, diagnostics);
  diagnostics.iterations = static_cast<int>(matching.chosen.size());
  diagnostics.figures.emplace_back("reliability", target.reliability());
  Ranking ranking =
      rank_features(scores_of(matching, candidates), Better::higher, std::move(diagnostics),
                    "ridge_omp: every column of the table is constant");
  move_to_front(not_chosen(matching, candidates, judgement ? &*judgement : nullptr), ranking.order);
  move_to_front(matching.chosen, ranking.order);
  if (judgement) {
    ranking.relevance = judgement->relevance(matching.chosen, nugget);
    warn_of_random_labels(options.info.name, *ranking.relevance, ranking.diagnostics);
  }
  return ranking;
}

Ranking ridge_omp(const Problem& problem, const RidgeOmpOptions& options, const Run& run) {
  return ridge_omp_in_folds(problem, options, run, std::nullopt);
}

}  // namespace tamis
