#include "tamis/methods/cls.hpp"

#include "constraints/constraint_set.hpp"
#include "core/squared_differences.hpp"
#include "graphs/graph.hpp"
#include "methods/constrained_denominator.hpp"
#include "methods/must_link_edges.hpp"
#include "methods/preconditions.hpp"
#include "prepare/condense.hpp"

namespace tamis {
namespace {

Graph constrained_graph(const Problem& problem, const ClsOptions& options,
                        const ConstraintSet& constraints, const Run& run,
                        Diagnostics& diagnostics) {
  GraphEdits edits;
  add_must_links(constraints, edits);
  // Labels forbid no edge between rows that have none.
  const bool may_cut =
      options.neighbors_among == NeighborsAmong::all || !constraints.extra_cannot_link().empty();
  if (options.cut_cannot_links && may_cut)
    edits.is_cut = [&](Index i, Index j) { return constraints.are_cannot_linked(i, j); };
  if (options.neighbors_among == NeighborsAmong::unlabeled) edits.among = unlabeled_rows(problem);
  return similarity_graph(problem.matrix, options.graph, std::move(edits), run.progress,
                          diagnostics);
}

}  // namespace

Ranking cls(const Problem& given, const ClsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, given);
  const std::vector<bool> varies = rankable_columns(options.info, given);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, given.known, diagnostics);
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  const ConstraintSet constraints(problem.known, problem.rows());
  check_form(options.info, options.form, constraints);
  const Graph graph = constrained_graph(problem, options, constraints, run, diagnostics);
  std::vector<double> above = squared_difference_sums(problem.matrix, graph.edges);
  add_joined_differences(graph, above);
  const std::vector<double> below =
      constrained_denominators(problem, options.form, constraints, degrees(graph));
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r)
    if (varies[r] && below[r] > 0.0) scores[r] = 2.0 * above[r] / below[r];
  return rank_features(
      std::move(scores), Better::lower, std::move(diagnostics),
      "cls: no column has a positive denominator, because the graph has no edge of "
      "positive weight where columns differ; raise bandwidth or n_neighbors, or "
      "choose another form");
}

}  // namespace tamis
