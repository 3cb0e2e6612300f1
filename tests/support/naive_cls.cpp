#include "support/naive_cls.hpp"

#include <cmath>

#include "support/naive.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis::test {
namespace {

bool is_unlabeled(const Sample& sample, Index i) {
  return sample.labels.empty() || sample.labels[i] < 0;
}

RowMatrix naive_cls_graph(const Sample& sample, const ClsOptions& options) {
  const RowMatrix squared = naive_squared_distances(sample.x);
  std::vector<Index> rows;
  for (Index i = 0; i < sample.x.rows; ++i)
    if (options.neighbors_among == NeighborsAmong::all || is_unlabeled(sample, i))
      rows.push_back(i);
  RowMatrix edges = naive_neighbors(squared, options.graph.n_neighbors, rows);
  const RowMatrix must = naive_must_links(sample);
  const RowMatrix cannot = naive_cannot_links(sample);
  for (std::size_t s = 0; s < edges.values.size(); ++s) {
    if (must.values[s] > 0.0) edges.values[s] = 1.0;
    if (cannot.values[s] > 0.0 && options.cut_cannot_links) edges.values[s] = 0.0;
  }
  RowMatrix weights =
      naive_heat_weights(squared, edges, options.graph.bandwidth * naive_mean_distance(squared));
  for (std::size_t s = 0; s < weights.values.size(); ++s)
    if (must.values[s] > 0.0) weights.values[s] *= must.values[s];
  return weights;
}

/// The forms on column r, with every sum written out; `matrix` from the product of matrices.
double naive_score(const Sample& sample, Index r, const RowMatrix& weights, ClsForm form) {
  const Index n = sample.x.rows;
  const std::vector<double> degree = naive_degrees(weights);
  const RowMatrix cannot = naive_cannot_links(sample);
  const std::vector<double> partners = naive_degrees(cannot);
  const auto f = [&](Index i) { return sample.x(i, r); };
  double mean = 0.0;
  double involved = 0.0;
  for (Index i = 0; i < n; ++i) {
    mean += f(i) / static_cast<double>(n);
    involved += partners[i] > 0.0 ? 1.0 : 0.0;
  }
  const double above = naive_pair_sum(sample.x, r, weights);
  double cannot_part = 0.0;
  double row_part = 0.0;
  double product = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double spread = degree[i] * std::pow(f(i) - mean, 2);
    const double all = form == ClsForm::full ? static_cast<double>(n) : involved;
    if (form == ClsForm::sum || form == ClsForm::full)
      row_part += (involved > 0 ? std::max(all - partners[i], 0.0) : 1.0) * spread;
    if (form == ClsForm::ensemble && is_unlabeled(sample, i)) row_part += spread;
    for (Index j = 0; j < n; ++j) {
      cannot_part += 0.5 * cannot(i, j) * (degree[i] + degree[j]) * std::pow(f(i) - f(j), 2);
      const double laplacian = i == j ? partners[i] : -cannot(i, j);
      product += f(i) * laplacian * degree[j] * f(j);
    }
  }
  if (form == ClsForm::matrix) return product > 0.0 ? above / product : kUndefined;
  return 2.0 * above / (cannot_part + row_part);
}

}  // namespace

std::vector<double> naive_cls(const Sample& sample, const ClsOptions& options) {
  const RowMatrix weights = naive_cls_graph(sample, options);
  return naive_scores(sample.x,
                      [&](Index r) { return naive_score(sample, r, weights, options.form); });
}

}  // namespace tamis::test
