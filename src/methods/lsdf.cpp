#include "tamis/methods/lsdf.hpp"

#include "constraints/pair_sums.hpp"
#include "core/squared_differences.hpp"
#include "graphs/graph.hpp"
#include "methods/preconditions.hpp"
#include "prepare/condense.hpp"

namespace tamis {
namespace {

/// Neighbour edges at unlabeled rows that are no must-links, each of weight 1.
std::vector<RowPair> locality_edges(const Problem& problem, const LsdfOptions& options,
                                    const ConstraintSet& constraints, const Run& run,
                                    Diagnostics& diagnostics) {
  if (unlabeled_rows(problem).empty()) return {};
  GraphEdits edits;
  edits.is_cut = [&](Index i, Index j) {
    const bool both_labeled =
        problem.known.label(i) != kUnlabeled && problem.known.label(j) != kUnlabeled;
    return both_labeled || constraints.are_must_linked(i, j);
  };
  const GraphOptions graph{.n_neighbors = options.n_neighbors, .symmetry = options.symmetry};
  std::vector<RowPair> edges =
      neighbor_graph(problem.matrix, graph, edits, run.progress, diagnostics).edges;
  for (RowPair& edge : edges) edge.weight = 1.0;
  return edges;
}

}  // namespace

Ranking lsdf(const Problem& given, const LsdfOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, given);
  const std::vector<bool> varies = rankable_columns(options.info, given);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, given.known, diagnostics);
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  const ConstraintSet constraints(problem.known, problem.rows());
  const std::vector<RowPair> edges =
      locality_edges(problem, options, constraints, run, diagnostics);
  diagnostics.edges = std::ssize(edges) + constraints.n_must_link();
  const std::vector<double> near = squared_difference_sums(problem.matrix, edges);
  const std::vector<double> must = must_link_sums(problem.matrix, constraints);
  const std::vector<double> below = constraints.n_cannot_link() > 0
                                        ? cannot_link_sums(problem.matrix, constraints)
                                        : moments(problem.matrix).squares;
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r)
    if (varies[r] && below[r] > 0.0) scores[r] = (options.gamma * must[r] + near[r]) / below[r];
  return rank_features(
      std::move(scores), Better::lower, std::move(diagnostics),
      "lsdf: no column tells any two cannot-linked rows apart; give more labels or "
      "pairs");
}

}  // namespace tamis
