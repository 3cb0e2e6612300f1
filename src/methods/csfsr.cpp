#include "tamis/methods/csfsr.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/csfsr_pruning.hpp"
#include "redundancy/correlation.hpp"
#include "redundancy/spanning_tree.hpp"

namespace tamis {
namespace {

/// Kept, removed, and all others, each part in the order of the ranking.
std::vector<Index> pruned_order(const std::vector<Index>& order, Index n_candidates,
                                const Pruned& pruned) {
  std::vector<Index> parts = pruned.kept;
  for (const Redundancy::Removal& removal : pruned.removed) parts.push_back(removal.feature);
  parts.insert(parts.end(), order.begin() + n_candidates, order.end());
  return parts;
}

}  // namespace

std::vector<Index> redundancy_candidates(const CsfsrOptions& options, Ranking& ranking) {
  const Index scored = std::ssize(ranking.order) - std::ssize(ranking.diagnostics.undefined);
  if (options.h > scored && options.h != CsfsrOptions{}.h)
    ranking.diagnostics.warnings.push_back(
        fmt::format("csfsr: h = {} is cut to the {} feature{} that {} a score", options.h, scored,
                    scored == 1 ? "" : "s", scored == 1 ? "has" : "have"));
  const Index count = std::min(options.h, scored);
  return {ranking.order.begin(), ranking.order.begin() + count};
}

Ranking without_redundant(Ranking ranking, const CsfsrOptions& options,
                          std::span<const Index> candidates, std::vector<Redundancy::Edge> tree,
                          const std::function<double(std::span<const Index>)>& mean_correlation) {
  Pruned pruned = prune_along_tree(candidates, tree, options.threshold);
  const double mean = mean_correlation(pruned.kept);
  ranking.order = pruned_order(ranking.order, std::ssize(candidates), pruned);
  ranking.subset = std::move(pruned.kept);
  ranking.redundancy = Redundancy{.tree = std::move(tree),
                                  .removed = std::move(pruned.removed),
                                  .rate = 0.5 * mean,
                                  .mean_abs_correlation = mean};
  return ranking;
}

Ranking csfsr(const Problem& problem, const CsfsrOptions& options, const Ranker& base,
              const Run& run) {
  check_ranges(options.info.name, options);
  Ranking ranking = base(problem, run);
  const std::vector<Index> columns = redundancy_candidates(options, ranking);
  return without_redundant(
      std::move(ranking), options, columns, maximum_spanning_tree(problem.matrix, columns),
      [&](std::span<const Index> kept) { return mean_absolute_correlation(problem.matrix, kept); });
}

}  // namespace tamis
