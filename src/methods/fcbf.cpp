#include "tamis/methods/fcbf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/preconditions.hpp"
#include "methods/states/state_information.hpp"

namespace tamis {
namespace {

/// SU(f, y) of every column, undefined where the column is.
std::vector<double> uncertainty_with_classes(const StateInformation& information) {
  std::vector<double> uncertainty = information.with_classes();
  for (Index r = 0; r < std::ssize(uncertainty); ++r)
    if (!std::isnan(uncertainty[r]))
      uncertainty[r] = symmetric_uncertainty(uncertainty[r], information.entropy(r),
                                             information.class_entropy());
  return uncertainty;
}

/// The columns above delta, best first.
std::vector<Index> relevant_columns(const std::vector<double>& uncertainty, double delta) {
  std::vector<Index> columns;
  for (Index r = 0; r < std::ssize(uncertainty); ++r)
    if (uncertainty[r] > delta) columns.push_back(r);
  std::ranges::stable_sort(columns,
                           [&](Index a, Index b) { return uncertainty[a] > uncertainty[b]; });
  return columns;
}

/// Those of the others of which the column knows less than the classes do, in their order.
std::vector<Index> without_redundant(Index column, std::span<const Index> others,
                                     const StateInformation& information,
                                     const std::vector<double>& uncertainty) {
  const std::vector<double> shared = information.between(column, others);
  std::vector<Index> left;
  for (std::size_t s = 0; s < others.size(); ++s) {
    const Index g = others[s];
    if (symmetric_uncertainty(shared[s], information.entropy(column), information.entropy(g)) <
        uncertainty[g])
      left.push_back(g);
  }
  return left;
}

}  // namespace

Ranking fcbf(const Problem& problem, const FcbfOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const StateInformation information(problem, options.states);
  const std::vector<double> uncertainty = uncertainty_with_classes(information);
  std::vector<Index> left = relevant_columns(uncertainty, options.delta);
  Progress::Stage stage(run.progress, "removing redundant features", std::ssize(left));
  SelectionPath kept;
  while (!left.empty()) {
    const Index best = left.front();
    kept.features.push_back(best);
    kept.criterion.push_back(uncertainty[best]);
    const Index before = std::ssize(left);
    left = without_redundant(best, std::span(left).subspan(1), information, uncertainty);
    stage.advance(before - std::ssize(left));
  }
  Diagnostics diagnostics;
  if (kept.features.empty())
    diagnostics.warnings.push_back(
        fmt::format("fcbf keeps no feature: the symmetric uncertainty of none with the classes "
                    "exceeds delta = {}",
                    options.delta));
  Ranking ranking = rank_path(std::move(kept), uncertainty, Better::higher, std::move(diagnostics),
                              constant_on_labeled_rows(options.info));
  ranking.subset = ranking.path->features;
  return ranking;
}

}  // namespace tamis
