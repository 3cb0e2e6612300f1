#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "support/naive.hpp"
#include "support/naive_links.hpp"
#include "support/sample.hpp"
#include "tamis/clustering/clustering.hpp"

/// wckm and l2gfs in plain loops, straight from the formulas; slow and obvious.
namespace tamis::test {

/// The kappa at which memberships sum to 1, by bisection.
inline std::vector<double> naive_simplex(const std::vector<double>& d,
                                         const std::vector<double>& b) {
  const auto n = static_cast<Index>(d.size());
  double limit = HUGE_VAL;  // of kappa, where a distance is 0
  for (Index q = 0; q < n; ++q)
    if (d[q] == 0.0) limit = std::min(limit, b[q]);
  const auto share = [&](double kappa, Index q) {
    return d[q] > 0.0 ? std::max(0.0, (kappa - b[q]) / (2.0 * d[q])) : 0.0;
  };
  const auto total = [&](double kappa) {
    double sum = 0.0;
    for (Index q = 0; q < n; ++q) sum += share(kappa, q);
    return sum;
  };
  double low = *std::ranges::min_element(b);
  double high = limit;
  if (high == HUGE_VAL)
    for (high = low + 1.0; total(high) < 1.0;) high += 2.0 * (high - low);
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (total(middle) < 1.0 ? low : high) = middle;
  }
  std::vector<double> a(n);
  for (Index q = 0; q < n; ++q) a[q] = share(high, q);
  double at_limit = 0.0;
  for (Index q = 0; q < n; ++q) at_limit += d[q] == 0.0 && b[q] == limit ? 1.0 : 0.0;
  const double left = 1.0 - total(high);
  for (Index q = 0; q < n; ++q)
    if (d[q] == 0.0 && b[q] == limit && left > 1e-12) a[q] = left / at_limit;
  return a;
}

inline double naive_factor(double weight, double beta) {
  return weight > 0.0 ? std::pow(weight, beta) : 0.0;
}

/// sum_j w_j^beta (x_ij - c_j)^2
inline double naive_distance(const Dense& x, Index i, const double* center, const double* weights,
                             double beta) {
  double sum = 0.0;
  for (Index r = 0; r < x.cols; ++r)
    sum += naive_factor(weights[r], beta) * std::pow(x(i, r) - center[r], 2);
  return sum;
}

inline std::vector<double> naive_weights(const std::vector<double>& dispersion, double beta) {
  std::vector<double> weights(dispersion.size(), 0.0);
  for (std::size_t j = 0; j < dispersion.size(); ++j) {
    if (dispersion[j] <= 0.0) continue;
    double sum = 0.0;
    for (const double other : dispersion)
      if (other > 0.0) sum += std::pow(dispersion[j] / other, 1.0 / (beta - 1.0));
    weights[j] = 1.0 / sum;
  }
  if (std::ranges::max(dispersion) <= 0.0)
    for (double& weight : weights) weight = 1.0 / static_cast<double>(weights.size());
  return weights;
}

/// Any start: distinct rows and positive weights that sum to 1 (in each of `weight_rows`).
inline ClusterStart start_of(const Sample& sample, Index n_clusters, Index weight_rows,
                             std::uint64_t seed) {
  RandomStream random(seed);
  ClusterStart start;
  for (const Index i : random.sample(sample.x.rows, n_clusters))
    for (Index r = 0; r < sample.x.cols; ++r) start.centroids.push_back(sample.x(i, r));
  for (Index q = 0; q < weight_rows; ++q) {
    double total = 0.0;
    for (Index r = 0; r < sample.x.cols; ++r) {
      start.weights.push_back(0.1 + random.uniform());
      total += start.weights.back();
    }
    for (auto w = start.weights.end() - sample.x.cols; w != start.weights.end(); ++w) *w /= total;
  }
  return start;
}

}  // namespace tamis::test
