#pragma once

#include <cmath>
#include <vector>

#include "support/naive_weighted_kmeans.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis::test {

/// Section 4.3.1 of the thesis, step by step, for a given start.
struct NaiveWckm {
  NaiveWckm(const Sample& of, const WckmOptions& given, const ClusterStart& start)
      : sample(of),
        links(of),
        options(given),
        n_clusters(std::ssize(start.centroids) / of.x.cols),
        centroids(start.centroids),
        weights(start.weights) {}

  std::vector<double> distances(Index i) const {
    std::vector<double> d;
    for (Index q = 0; q < n_clusters; ++q)
      d.push_back(
          naive_distance(sample.x, i, &centroids[q * sample.x.cols], weights.data(), options.beta));
    return d;
  }

  std::vector<double> solved(const std::vector<double>& d, const std::vector<double>& costs) const {
    if (options.membership == Membership::fuzzy) return naive_simplex(d, costs);
    std::vector<double> memberships_of_row(n_clusters, 0.0);
    Index best = 0;
    for (Index q = 1; q < n_clusters; ++q)
      if (d[q] + costs[q] < d[best] + costs[best]) best = q;
    memberships_of_row[best] = 1.0;
    return memberships_of_row;
  }

  void solve_memberships() {
    const std::vector<double> no_costs(n_clusters, 0.0);
    const bool is_first = memberships.empty();
    memberships.resize(sample.x.rows);
    for (Index i = 0; i < sample.x.rows; ++i)
      if (is_first || !links.has(i)) memberships[i] = solved(distances(i), no_costs);
    for (Index i = 0; i < sample.x.rows; ++i) {
      if (!links.has(i)) continue;
      std::vector<double> costs(n_clusters, 0.0);
      for (Index r = 0; r < sample.x.rows; ++r)
        for (Index q = 0; q < n_clusters; ++q)
          costs[q] += options.penalty * (links.must(i, r) * (1.0 - memberships[r][q]) +
                                         links.cannot(i, r) * memberships[r][q]);
      memberships[i] = solved(distances(i), costs);
    }
  }

  void move() {
    const Index cols = sample.x.cols;
    std::vector<double> dispersion(cols, 0.0);
    for (Index q = 0; q < n_clusters; ++q) {
      double mass = 0.0;
      for (Index i = 0; i < sample.x.rows; ++i) mass += std::pow(memberships[i][q], 2);
      for (Index r = 0; r < cols; ++r) {
        double sum = 0.0;
        for (Index i = 0; i < sample.x.rows; ++i)
          sum += std::pow(memberships[i][q], 2) * sample.x(i, r);
        if (mass == 0.0) break;  // an empty cluster keeps its centroid
        centroids[q * cols + r] = sum / mass;
        for (Index i = 0; i < sample.x.rows; ++i)
          if (!is_constant(sample.x, r))
            dispersion[r] += std::pow(memberships[i][q] * (sample.x(i, r) - sum / mass), 2);
      }
    }
    if (options.weights == FeatureWeights::learned)
      weights = naive_weights(dispersion, options.beta);
  }

  double objective() const {
    double sum = 0.0;
    for (Index i = 0; i < sample.x.rows; ++i) {
      const std::vector<double> d = distances(i);
      for (Index q = 0; q < n_clusters; ++q) sum += std::pow(memberships[i][q], 2) * d[q];
      for (Index r = 0; r < i; ++r)
        for (Index p = 0; p < n_clusters; ++p)
          for (Index q = 0; q < n_clusters; ++q)
            sum += options.penalty * memberships[i][p] * memberships[r][q] *
                   (p == q ? links.cannot(i, r) : links.must(i, r));
    }
    return sum;
  }

  const Sample& sample;
  NaiveLinks links;
  WckmOptions options;
  Index n_clusters;
  std::vector<double> centroids;
  std::vector<double> weights;
  std::vector<std::vector<double>> memberships;
};

}  // namespace tamis::test
