#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "support/naive.hpp"
#include "support/naive_links.hpp"
#include "tamis/clustering/clustering.hpp"

/// The k-means family word for word, with plain loops and without any code of the library.
namespace tamis::test {

struct NaiveViolations {
  Index must_link = 0;
  Index cannot_link = 0;
};

inline NaiveViolations naive_violations(const NaiveLinks& links,
                                        const std::vector<Index>& clusters) {
  NaiveViolations broken;
  for (Index i = 0; i < std::ssize(clusters); ++i)
    for (Index j = 0; j < i; ++j) {
      const bool together = clusters[i] == clusters[j];
      broken.must_link += links.must(i, j) > 0.0 && !together ? 1 : 0;
      broken.cannot_link += links.cannot(i, j) > 0.0 && together ? 1 : 0;
    }
  return broken;
}

inline double naive_squared(const Dense& x, Index i, const std::vector<double>& centroids,
                            Index q) {
  double sum = 0.0;
  for (Index r = 0; r < x.cols; ++r) sum += std::pow(x(i, r) - centroids[q * x.cols + r], 2);
  return sum;
}

/// The nearest centroid of those that `may_be` allows, ties to the lower; -1 if there is none.
inline Index naive_nearest(const Dense& x, Index i, const std::vector<double>& centroids,
                           const std::function<bool(Index)>& may_be) {
  Index best = -1;
  for (Index q = 0; q < std::ssize(centroids) / x.cols; ++q)
    if (may_be(q) &&
        (best == -1 || naive_squared(x, i, centroids, q) < naive_squared(x, i, centroids, best)))
      best = q;
  return best;
}

/// Each centroid with a row to the mean of its rows.
inline void naive_means(const Dense& x, const std::vector<Index>& clusters,
                        std::vector<double>& centroids) {
  for (Index q = 0; q < std::ssize(centroids) / x.cols; ++q) {
    double count = 0.0;
    std::vector<double> sums(x.cols, 0.0);
    for (Index i = 0; i < x.rows; ++i) {
      if (clusters[i] != q) continue;
      count += 1.0;
      for (Index r = 0; r < x.cols; ++r) sums[r] += x(i, r);
    }
    for (Index r = 0; r < x.cols && count > 0.0; ++r) centroids[q * x.cols + r] = sums[r] / count;
  }
}

/// Places all rows and moves the centroids until nothing changes. `place` gets the clusters (-1
/// where a row has none yet) and the centroids.
inline Clustering naive_lloyd(
    const Dense& x, std::vector<double> centroids, Index max_iter,
    const std::function<void(std::vector<Index>&, const std::vector<double>&)>& place) {
  Clustering run{.centroids = std::move(centroids), .clusters = std::vector<Index>(x.rows, -1)};
  place(run.clusters, run.centroids);
  for (Index t = 0; t < max_iter && !run.converged; ++t) {
    naive_means(x, run.clusters, run.centroids);
    const std::vector<Index> before = run.clusters;
    place(run.clusters, run.centroids);
    run.converged = before == run.clusters;
  }
  for (Index i = 0; i < x.rows; ++i)
    run.objective += naive_squared(x, i, run.centroids, run.clusters[i]);
  return run;
}

/// The same clusters, centroids and objective but for rounding.
inline void expect_same(const Clustering& actual, const Clustering& expected) {
  EXPECT_EQ(actual.clusters, expected.clusters);
  EXPECT_EQ(actual.converged, expected.converged);
  expect_scores_near(actual.centroids, expected.centroids, 1e-11);
  expect_scores_near(actual.weights, expected.weights, 1e-9);
  EXPECT_NEAR(actual.objective, expected.objective, 1e-9 * (1.0 + std::abs(expected.objective)));
}

/// Every number of the two is the same.
inline void expect_same_bits(const Clustering& a, const Clustering& b) {
  EXPECT_EQ(a.clusters, b.clusters);
  EXPECT_EQ(a.centroids, b.centroids);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.iterations.size(), b.iterations.size());
}

/// The given rows as centroids.
inline std::vector<double> rows_as_centroids(const Dense& x, const std::vector<Index>& rows) {
  std::vector<double> centroids;
  for (const Index i : rows)
    for (Index r = 0; r < x.cols; ++r) centroids.push_back(x(i, r));
  return centroids;
}

}  // namespace tamis::test
