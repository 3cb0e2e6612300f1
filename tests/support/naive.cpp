#include "support/naive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tamis::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RowMatrix naive_links(const Sample& sample, bool same_class, const std::vector<RowPair>* given) {
  RowMatrix links(sample.x.rows);
  for (Index i = 0; i < std::ssize(sample.labels); ++i)
    for (Index j = 0; j < i; ++j)
      if (sample.labels[i] >= 0 && sample.labels[j] >= 0 &&
          (sample.labels[i] == sample.labels[j]) == same_class)
        links.set(i, j, 1.0);
  if (given)
    for (const RowPair& pair : *given)
      links.set(pair.first, pair.second, std::max(links(pair.first, pair.second), pair.weight));
  return links;
}

}  // namespace

RowMatrix naive_squared_distances(const Dense& x) {
  RowMatrix squared(x.rows);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.rows; ++j)
      for (Index r = 0; r < x.cols; ++r) squared(i, j) += (x(i, r) - x(j, r)) * (x(i, r) - x(j, r));
  return squared;
}

RowMatrix naive_neighbors(const RowMatrix& squared, Index k, const std::vector<Index>& rows,
                          bool mutual) {
  RowMatrix chosen(squared.n);
  for (const Index i : rows) {
    std::vector<std::pair<double, Index>> others;
    for (const Index j : rows)
      if (j != i) others.emplace_back(squared(i, j), j);
    std::ranges::sort(others);
    for (Index s = 0; s < std::min(k, std::ssize(others)); ++s) chosen(i, others[s].second) = 1.0;
  }
  RowMatrix edges(squared.n);
  for (Index i = 0; i < squared.n; ++i)
    for (Index j = 0; j < squared.n; ++j)
      edges(i, j) = mutual ? chosen(i, j) * chosen(j, i) : std::max(chosen(i, j), chosen(j, i));
  return edges;
}

RowMatrix naive_heat_weights(const RowMatrix& squared, const RowMatrix& edges, double t) {
  RowMatrix weights(squared.n);
  for (Index i = 0; i < squared.n; ++i)
    for (Index j = 0; j < squared.n; ++j)
      if (edges(i, j) > 0.0) weights(i, j) = std::exp(-squared(i, j) / t);
  return weights;
}

double naive_mean_distance(const RowMatrix& squared) {
  const auto n = static_cast<double>(squared.n);
  return std::accumulate(squared.values.begin(), squared.values.end(), 0.0) / (n * (n - 1.0));
}

RowMatrix naive_must_links(const Sample& sample) {
  return naive_links(sample, true, sample.pairs ? &sample.pairs->must_link : nullptr);
}

RowMatrix naive_cannot_links(const Sample& sample) {
  return naive_links(sample, false, sample.pairs ? &sample.pairs->cannot_link : nullptr);
}

double naive_pair_sum(const Dense& x, Index r, const RowMatrix& weight) {
  double sum = 0.0;
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = i + 1; j < x.rows; ++j)
      sum += weight(i, j) * (x(i, r) - x(j, r)) * (x(i, r) - x(j, r));
  return sum;
}

std::vector<double> naive_degrees(const RowMatrix& weights) {
  std::vector<double> degrees(weights.n, 0.0);
  for (Index i = 0; i < weights.n; ++i)
    for (Index j = 0; j < weights.n; ++j) degrees[i] += weights(i, j);
  return degrees;
}

std::vector<Index> naive_all(Index rows) {
  std::vector<Index> all(rows);
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

bool is_constant(const Dense& x, Index r) {
  for (Index i = 1; i < x.rows; ++i)
    if (x(i, r) != x(0, r)) return false;
  return true;
}

std::vector<double> naive_scores(const Dense& x, const std::function<double(Index)>& score) {
  std::vector<double> scores;
  for (Index r = 0; r < x.cols; ++r) scores.push_back(is_constant(x, r) ? kNaN : score(r));
  return scores;
}

double naive_laplacian_score(const Dense& x, Index r, const RowMatrix& weights) {
  const std::vector<double> degrees = naive_degrees(weights);
  const double total = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  double mean = 0.0;
  for (Index i = 0; i < x.rows; ++i) mean += degrees[i] / total * x(i, r);
  double above = 0.0;
  double below = 0.0;
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.rows; ++j) {
      const double fi = x(i, r) - mean;
      const double fj = x(j, r) - mean;
      above += weights(i, j) * (fi * fi - fi * fj);
      below += weights(i, j) * fi * fi;
    }
  return above / below;
}

}  // namespace tamis::test
