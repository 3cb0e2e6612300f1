#include "tamis/methods/laplacian_score.hpp"

#include "constraints/constraint_set.hpp"
#include "core/squared_differences.hpp"
#include "graphs/graph.hpp"
#include "methods/must_link_edges.hpp"
#include "methods/preconditions.hpp"
#include "prepare/condense.hpp"

namespace tamis {

LaplacianTerms laplacian_terms(const MatrixView& x, const Graph& graph) {
  const std::vector<double> degree = degrees(graph);
  std::vector<Index> joined;  // rows without weight count for nothing
  for (Index i = 0; i < x.rows(); ++i)
    if (degree[i] > 0.0) joined.push_back(i);
  if (joined.empty())
    return {std::vector<double>(x.cols(), kUndefined), std::vector<double>(x.cols(), 0.0)};
  // As L1 = 0, the numerator f~'L f~ takes f itself.
  GraphSums sums = graph_sums(x, graph.edges, degree);
  add_joined_differences(graph, sums.differences);
  if (std::ssize(joined) < x.rows()) sums.varies = varying_columns(x, joined);
  LaplacianTerms terms{.scores = std::move(sums.differences), .means = std::move(sums.rows.mean)};
  for (Index r = 0; r < x.cols(); ++r)
    terms.scores[r] = sums.varies[r] && sums.rows.squares[r] > 0.0
                          ? terms.scores[r] / sums.rows.squares[r]
                          : kUndefined;
  return terms;
}

Ranking laplacian_score(const Problem& given, const LaplacianScoreOptions& options,
                        const Run& run) {
  check_ranges(options.info.name, options);
  rankable_columns(options.info, given);
  Diagnostics diagnostics;
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  GraphEdits edits;
  if (options.must_link_edges) add_must_links(ConstraintSet(problem.known, problem.rows()), edits);
  const Graph graph =
      similarity_graph(problem.matrix, options.graph, std::move(edits), run.progress, diagnostics);
  return rank_features(laplacian_terms(problem.matrix, graph).scores, Better::lower,
                       std::move(diagnostics),
                       "laplacian_score: every column is constant over the rows that are joined "
                       "with a positive weight; raise bandwidth or n_neighbors");
}

}  // namespace tamis
