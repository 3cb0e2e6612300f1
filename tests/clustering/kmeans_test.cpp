#include "tamis/clustering/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Kmeans run(const Sample& sample, const KmeansOptions& options,
           Storage storage = Storage::dense_double) {
  const StoredSample stored(sample, storage);
  return kmeans(stored.problem().matrix, all_rows(sample.x.rows), options);
}

double squared(const Dense& x, Index i, const std::vector<double>& centroids, Index q) {
  double sum = 0.0;
  for (Index r = 0; r < x.cols; ++r) sum += std::pow(x(i, r) - centroids[q * x.cols + r], 2);
  return sum;
}

/// Each row at its nearest centroid, each centroid at the mean of its rows.
void expect_fixed_point(const Dense& x, const Kmeans& result, Index n_clusters) {
  double objective = 0.0;
  for (Index i = 0; i < x.rows; ++i) {
    const double own = squared(x, i, result.centroids, result.clusters[i]);
    for (Index q = 0; q < n_clusters; ++q)
      EXPECT_LE(own, squared(x, i, result.centroids, q) + 1e-12);
    objective += own;
  }
  EXPECT_NEAR(result.objective, objective, 1e-9 * (1.0 + objective));
  for (Index q = 0; q < n_clusters; ++q) {
    const auto count = std::ranges::count(result.clusters, q);
    if (count == 0) continue;
    for (Index r = 0; r < x.cols; ++r) {
      double sum = 0.0;
      for (Index i = 0; i < x.rows; ++i)
        if (result.clusters[i] == q) sum += x(i, r);
      EXPECT_NEAR(result.centroids[q * x.cols + r], sum / static_cast<double>(count), 1e-12);
    }
  }
}

TEST(Kmeans, EndsWhereRowsAreAtTheirNearestCentroidAndCentroidsAreMeans) {
  for (const KmeansStart start : {KmeansStart::plus_plus, KmeansStart::random})
    for (const Index k : {1, 3, 8}) {
      SCOPED_TRACE(k);
      const Dense x = random_table(120, 5, 1);
      const Kmeans result = run({.x = x}, {.n_clusters = k, .start = start, .restarts = 3});
      EXPECT_TRUE(result.converged);
      expect_fixed_point(x, result, k);
    }
}

TEST(Kmeans, FindsTheBestPartitionOfAFewRows) {
  const Dense x = random_table(9, 2, 4);
  double best = HUGE_VAL;
  for (int mask = 1; mask < (1 << 9) - 1; ++mask) {
    double total = 0.0;
    for (const int side : {0, 1}) {
      std::vector<Index> members;
      for (Index i = 0; i < 9; ++i)
        if (((mask >> i) & 1) == side) members.push_back(i);
      for (Index r = 0; r < 2; ++r) {
        double mean = 0.0;
        for (const Index i : members) mean += x(i, r) / static_cast<double>(members.size());
        for (const Index i : members) total += std::pow(x(i, r) - mean, 2);
      }
    }
    best = std::min(best, total);
  }
  EXPECT_NEAR(run({.x = x}, {.n_clusters = 2, .restarts = 50}).objective, best, 1e-12);
}

TEST(Kmeans, SeparatesDistantBlobsFromEitherStart) {
  Dense x = random_table(90, 4, 2);
  for (Index i = 0; i < x.rows; ++i) x(i, i % 3) += 100.0;
  for (const KmeansStart start : {KmeansStart::plus_plus, KmeansStart::random}) {
    const Kmeans result = run({.x = x}, {.n_clusters = 3, .start = start});
    for (Index i = 3; i < x.rows; ++i) EXPECT_EQ(result.clusters[i], result.clusters[i % 3]);
    EXPECT_EQ((std::set<Index>(result.clusters.begin(), result.clusters.end())).size(), 3);
  }
}

TEST(Kmeans, MoreRestartsNeverGiveAWorseObjective) {
  const Sample sample{.x = random_table(80, 3, 3)};
  double previous = HUGE_VAL;
  for (const Index restarts : {1, 2, 5, 20}) {
    const double now = run(sample, {.n_clusters = 7, .restarts = restarts}).objective;
    EXPECT_LE(now, previous);
    previous = now;
  }
}

TEST(Kmeans, KeepsTheCentroidOfAnEmptyCluster) {
  const Dense x(6, 2);  // six equal rows
  const Kmeans result = run({.x = x}, {.n_clusters = 3});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.clusters, std::vector<Index>(6, 0));
  EXPECT_EQ(result.centroids, std::vector<double>(6, 0.0));
}

TEST(Kmeans, LooksAtTheGivenRowsOnly) {
  Dense x = random_table(40, 3, 5);
  Dense half(20, 3);
  std::vector<Index> rows;
  for (Index i = 0; i < 20; ++i) {
    rows.push_back(2 * i + 1);
    for (Index r = 0; r < 3; ++r) half(i, r) = x(2 * i + 1, r);
  }
  const StoredSample stored({.x = x});
  const Kmeans part = kmeans(stored.problem().matrix, rows, {.n_clusters = 4});
  const Kmeans whole = run({.x = half}, {.n_clusters = 4});
  EXPECT_EQ(part.clusters, whole.clusters);
  EXPECT_EQ(part.centroids, whole.centroids);
}

TEST(Kmeans, GivesTheSameBitsForAnyNumberOfThreadsAndStorage) {
  const Sample sample{.x = sparse_table(700, 40, 6)};
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 6, .restarts = 2, .seed = 9}, storage);
    };
    const Kmeans one = with_threads(1);
    const Kmeans three = with_threads(3);
    EXPECT_EQ(one.clusters, three.clusters);
    EXPECT_EQ(one.centroids, three.centroids);
    EXPECT_EQ(one.clusters, run(sample, {.n_clusters = 6, .restarts = 2, .seed = 9}).clusters);
  }
}

TEST(Kmeans, SaysWhenItStoppedEarly) {
  const Kmeans result =
      run({.x = random_table(300, 4, 7)}, {.n_clusters = 10, .restarts = 1, .max_iter = 1});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 1);
}

TEST(Kmeans, RefusesMoreClustersThanRows) {
  try {
    run({.x = random_table(3, 2, 8)}, {.n_clusters = 4});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "kmeans: 4 clusters need as many rows, and there are 3");
  }
  EXPECT_THROW(run({.x = random_table(3, 2, 8)}, {.n_clusters = 0}), InvalidArgument);
}

}  // namespace
}  // namespace tamis::test
