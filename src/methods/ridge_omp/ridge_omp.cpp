#include "tamis/methods/ridge_omp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

/// The candidates that were not chosen, most relevant first, and their relevance; equal where it
/// differs by rounding.
std::vector<std::pair<Index, double>> by_relevance(const Matching& matching,
                                                   const WeightedColumns& candidates) {
  std::vector<bool> is_chosen(candidates.table->cols(), false);
  for (const Index column : matching.chosen) is_chosen[column] = true;
  std::vector<std::pair<Index, double>> rest;
  for (std::size_t s = 0; s < candidates.columns.size(); ++s)
    if (!is_chosen[candidates.columns[s]])
      rest.emplace_back(candidates.columns[s], matching.relevance[s]);
  std::ranges::stable_sort(rest, std::ranges::greater(), &std::pair<Index, double>::second);
  const double same = 1.0 - tie_tolerance(*candidates.table);
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i].second >= same * rest[i - 1].second) rest[i].second = rest[i - 1].second;
  return rest;
}

/// Gains in the order of choice, then relevance below them. A later gain may exceed an earlier one
/// (two features together tell more than each alone); a score must not, or it would not rank.
std::vector<double> scores_of(const Matching& matching, const WeightedColumns& candidates) {
  constexpr double kBelow = 0.999;
  std::vector<double> scores(candidates.table->cols(), kUndefined);
  double last = HUGE_VAL;
  for (std::size_t t = 0; t < matching.chosen.size(); ++t) {
    last = std::min(matching.gains[t], std::nextafter(last, 0.0));
    scores[matching.chosen[t]] = last;
  }
  const auto rest = by_relevance(matching, candidates);
  const bool is_above = !rest.empty() && rest.front().second >= last;
  const double factor = is_above ? kBelow * last / rest.front().second : 1.0;
  for (const auto& [column, relevance] : rest) scores[column] = factor * relevance;
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
      candidates, target.values(), options.n_greedy,
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
  ranking.curve = std::move(matching.curve);
  return ranking;
}

}  // namespace tamis
