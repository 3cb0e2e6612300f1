#include "tamis/methods/laplacian_score.hpp"

#include "tamis/constraints/constraint_set.hpp"
#include "tamis/core/squared_differences.hpp"
#include "tamis/methods/preconditions.hpp"

namespace tamis {

LaplacianTerms laplacian_terms(const MatrixView& x, const Graph& graph) {
  const std::vector<double> degree = degrees(graph);
  std::vector<Index> joined;  // rows without weight count for nothing
  std::vector<double> weights;
  for (Index i = 0; i < x.rows(); ++i) {
    if (degree[i] <= 0.0) continue;
    joined.push_back(i);
    weights.push_back(degree[i]);
  }
  if (joined.empty())
    return {std::vector<double>(x.cols(), kUndefined), std::vector<double>(x.cols(), 0.0)};
  // As L1 = 0, the numerator f~'L f~ takes f itself.
  LaplacianTerms terms{.scores = squared_difference_sums(x, graph.edges), .means = {}};
  ColumnMoments below = weighted_moments(x, joined, weights);
  const std::vector<bool> varies = varying_columns(x, joined);
  for (Index r = 0; r < x.cols(); ++r)
    terms.scores[r] =
        varies[r] && below.squares[r] > 0.0 ? terms.scores[r] / below.squares[r] : kUndefined;
  terms.means = std::move(below.mean);
  return terms;
}

Ranking laplacian_score(const Problem& problem, const LaplacianScoreOptions& options) {
  check_ranges(options.info.name, options);
  rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  GraphEdits edits;
  if (options.must_link_edges) edits.added = ConstraintSet(problem).must_link_pairs();
  const Graph graph = similarity_graph(problem, options.graph, edits, diagnostics);
  return rank_features(laplacian_terms(problem.matrix, graph).scores, Better::lower,
                       std::move(diagnostics),
                       "laplacian_score: every column is constant over the rows that are joined "
                       "with a positive weight; raise bandwidth or n_neighbors");
}

}  // namespace tamis
