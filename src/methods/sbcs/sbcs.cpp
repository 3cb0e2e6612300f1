#include "tamis/methods/sbcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/sbcs/pair_errors.hpp"
#include "prepare/condense.hpp"
#include "prepare/nearest_class.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_knows(const Problem& problem, SbcsMode mode) {
  MethodInfo needy = SbcsOptions::info;
  needy.needs = mode == SbcsMode::semi ? Needs::classes : Needs::constraints;
  check_needs(needy, problem);
}

void check_size(const Problem& problem, SbcsMode mode) {
  const bool is_semi = mode == SbcsMode::semi;
  const Index rows = is_semi ? problem.rows() : std::ssize(labeled_rows(problem.known));
  if (rows <= kMaxSbcsRows) return;
  throw DataError(
      fmt::format("sbcs compares every two {}rows, and {} are more than the {} that it takes; {}",
                  is_semi ? "" : "labeled ", rows, kMaxSbcsRows,
                  is_semi ? "set condense = som, or take fewer rows" : "label fewer rows"));
}

/// The problem with a map in place of unlabeled rows, if that is wanted and changes something.
std::optional<OwnedProblem> condensed(const Problem& given, const SbcsOptions& options,
                                      const Run& run, Diagnostics& diagnostics) {
  if (options.mode == SbcsMode::semi) return condense(given, options.condense, run, diagnostics);
  if (options.condense.condense != Condense::none)
    diagnostics.warnings.emplace_back(
        "condense changes nothing: mode supervised looks at linked rows only");
  return std::nullopt;
}

WantedPairs wanted_pairs(const Problem& problem, const ConstraintSet& constraints,
                         const Scaling& standard, SbcsMode mode) {
  if (mode == SbcsMode::semi) return all_pairs(constraints, nearest_classes(problem, standard));
  if (constraints.n_must_link() + constraints.n_cannot_link() == 0)
    throw DataError("sbcs needs must-link or cannot-link pairs, and all that are given weigh 0");
  return linked_pairs(constraints);
}

/// Features chosen one by one, and what the last choice saw in all columns.
struct Choice {
  SelectionPath path;
  std::vector<double> criteria;
};

Choice choose(PairErrors& errors, std::vector<Index> candidates, Index cols, Index max_features,
              const Progress& progress) {
  const Index steps = std::min(max_features, std::ssize(candidates));
  Progress::Stage stage(progress, "choosing features", steps * errors.pieces());
  Choice choice{.path = {}, .criteria = {}};
  for (Index step = 0; step < steps; ++step) {
    const std::vector<double> found = errors.with_each(candidates, stage);
    choice.criteria.assign(cols, kUndefined);
    for (std::size_t s = 0; s < found.size(); ++s) choice.criteria[candidates[s]] = found[s];
    const Index best = first_of_best(choice.criteria, Better::lower);
    choice.path.features.push_back(best);
    choice.path.criterion.push_back(choice.criteria[best]);
    std::erase(candidates, best);
    errors.take(best);
  }
  return choice;
}

}  // namespace

Ranking sbcs(const Problem& given, const SbcsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_knows(given, options.mode);
  rankable_columns(options.info, given);
  Diagnostics diagnostics;
  const auto map = condensed(given, options, run, diagnostics);
  const Problem& problem = map ? map->problem() : given;
  check_size(problem, options.mode);
  const ConstraintSet constraints(problem.known, problem.rows());
  Scaling scaling = fit_scaling(problem.matrix, all_indices(problem.rows()), ScalingKind::standard);
  WantedPairs pairs = wanted_pairs(problem, constraints, scaling, options.mode);
  std::vector<Index> candidates;
  for (Index r = 0; r < problem.cols(); ++r)
    if (scaling.width[r] > 0.0) candidates.push_back(r);
  // d^2 / (2 sigma^2) becomes a plain squared distance.
  for (double& width : scaling.width) width *= options.sigma * std::numbers::sqrt2;
  PairErrors errors(problem.matrix, scaling, std::move(pairs));
  auto [path, criteria] =
      choose(errors, std::move(candidates), problem.cols(), options.max_features, run.progress);
  const Index kept = first_of_best(path.criterion, Better::lower) + 1;
  level_ties(criteria, Better::lower);
  Ranking ranking =
      rank_path(std::move(path), criteria, Better::lower, std::move(diagnostics),
                "sbcs: every column is constant, or varies too little to be measured");
  const std::vector<Index>& chosen = ranking.path->features;
  ranking.subset.emplace(chosen.begin(), chosen.begin() + kept);
  return ranking;
}

}  // namespace tamis
