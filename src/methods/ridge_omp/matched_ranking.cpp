#include "methods/ridge_omp/matched_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "methods/preconditions.hpp"
#include "methods/relevance/lone_column.hpp"

namespace tamis {
namespace {

void warn_of_one_class(const Knowledge& known, Diagnostics& diagnostics) {
  if (rows_by_class(known).size() != 1 || values_decide(known)) return;
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
std::vector<Index> not_chosen(const MatchedColumns& matched) {
  struct Place {
    Index column;
    double log_p;
    double gain;
  };
  const Matching& matching = matched.matching;
  const Judgement* const judgement = matched.judgement;
  const std::set<Index> chosen(matching.chosen.begin(), matching.chosen.end());
  std::vector<Place> rest;
  for (std::size_t s = 0; s < matched.candidates.size(); ++s) {
    const Index column = matched.candidates[s];
    if (chosen.contains(column)) continue;
    const double log_p = judgement ? std::round(1e9 * judgement->log_p()[column]) : 0.0;
    rest.push_back({column, log_p, matching.first_gains[s]});
  }
  const auto comes_first = [](const Place& a, const Place& b) {
    if (a.log_p != b.log_p) return a.log_p < b.log_p;
    return a.gain != b.gain ? a.gain > b.gain : a.column < b.column;
  };
  std::ranges::sort(rest, comes_first);
  const double same = 1.0 - matched.tie_tolerance;
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i].log_p == rest[i - 1].log_p && rest[i].gain >= same * rest[i - 1].gain)
      rest[i].gain = rest[i - 1].gain;
  std::ranges::sort(rest, comes_first);
  std::vector<Index> columns;
  for (const Place& place : rest) columns.push_back(place.column);
  return columns;
}

/// The gain of each chosen feature when it was chosen, of the others as a first choice.
std::vector<double> scores_of(const MatchedColumns& matched) {
  const Matching& matching = matched.matching;
  std::vector<double> scores(matched.cols, kUndefined);
  for (std::size_t s = 0; s < matched.candidates.size(); ++s)
    scores[matched.candidates[s]] = matching.first_gains[s];
  for (std::size_t t = 0; t < matching.chosen.size(); ++t)
    scores[matching.chosen[t]] = matching.gains[t];
  return scores;
}

/// The positions of relevant candidates; unset where nothing is judged.
std::optional<std::vector<Index>> relevant_of(std::span<const Index> candidates,
                                              const Judgement* judgement) {
  if (!judgement) return std::nullopt;
  std::vector<Index> positions;
  for (Index s = 0; s < std::ssize(candidates); ++s)
    if (judgement->is_relevant(candidates[s])) positions.push_back(s);
  return positions;
}

}  // namespace

Diagnostics first_diagnostics(const Knowledge& known) {
  Diagnostics diagnostics;
  warn_if_unsupervised(RidgeOmpOptions::info, known, diagnostics);
  warn_of_one_class(known, diagnostics);
  return diagnostics;
}

MatchingRules matching_rules(const RidgeOmpOptions& options, double nugget,
                             std::span<const Index> candidates, const Judgement* judgement) {
  return {
      .steps = options.n_greedy, .nugget = nugget, .allowed = relevant_of(candidates, judgement)};
}

Ranking ranking_of(const MatchedColumns& matched, const RidgeOmpOptions& options, const Run& run,
                   Diagnostics diagnostics) {
  const Matching& matching = matched.matching;
  record_choices(run.trace, matching);
  if (!matched.judgement) warn_if_cut(options, matching, diagnostics);
  diagnostics.iterations = static_cast<int>(matching.chosen.size());
  Ranking ranking = rank_features(scores_of(matched), Better::higher, std::move(diagnostics),
                                  "ridge_omp: every column of the table is constant");
  move_to_front(not_chosen(matched), ranking.order);
  move_to_front(matching.chosen, ranking.order);
  if (matched.judgement) {
    ranking.relevance = matched.judgement->relevance(matching.chosen, matched.nugget);
    warn_of_random_labels(options.info.name, *ranking.relevance, values_decide(matched.known),
                          ranking.diagnostics);
    if (options.relevance.null == Null::automatic)
      warn_of_lone_columns(options.info.name, *ranking.relevance, matched.table, matched.known,
                           matched.feature_names, run.seed, ranking.diagnostics);
  }
  return ranking;
}

}  // namespace tamis
