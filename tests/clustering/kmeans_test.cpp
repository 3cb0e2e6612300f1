#include "clustering/kmeans/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Clustering run(const Sample& sample, const KmeansOptions& options,
               Storage storage = Storage::dense_double, const ClusterGiven& given = {}) {
  const StoredSample stored(sample, storage);
  return kmeans(stored.problem(), options, given);
}

/// Each row at its nearest centroid, each centroid at the mean of its rows.
void expect_fixed_point(const Dense& x, const Clustering& result, Index n_clusters) {
  double objective = 0.0;
  for (Index i = 0; i < x.rows; ++i) {
    const double own = naive_squared(x, i, result.centroids, result.clusters[i]);
    for (Index q = 0; q < n_clusters; ++q)
      EXPECT_LE(own, naive_squared(x, i, result.centroids, q) + 1e-12);
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
      const Clustering result = run({.x = x}, {.n_clusters = k, .start = start, .restarts = 3});
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
    const Clustering result = run({.x = x}, {.n_clusters = 3, .start = start});
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
  const Clustering result = run({.x = x}, {.n_clusters = 3});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.clusters, std::vector<Index>(6, 0));
  EXPECT_EQ(result.centroids, std::vector<double>(6, 0.0));
}

TEST(Kmeans, EqualsPlainLoopsFromAGivenStart) {
  for (const Storage storage : kStorages)
    for (const Index max_iter : {2, 100}) {
      SCOPED_TRACE(name_of(storage));
      const Dense x = sparse_table(300, 20, 5);
      const ClusterStart start{.centroids = rows_as_centroids(x, {3, 40, 100, 200, 290})};
      const Clustering expected =
          naive_lloyd(x, start.centroids, max_iter,
                      [&](std::vector<Index>& clusters, const std::vector<double>& centroids) {
                        for (Index i = 0; i < x.rows; ++i)
                          clusters[i] = naive_nearest(x, i, centroids, [](Index) { return true; });
                      });
      const Clustering result =
          run({.x = x}, {.n_clusters = 5, .max_iter = max_iter}, storage, {.start = start});
      expect_same(result, expected);
      EXPECT_EQ(result.run, 0);
    }
}

TEST(Kmeans, BreaksTiesByTheLowerCluster) {
  Dense x(4, 1);
  x.values = {0.0, 4.0, 4.0, 9.0};
  const ClusterStart start{.centroids = {9.0, 4.0, 4.0, 0.0}};
  const Clustering result =
      run({.x = x}, {.n_clusters = 4}, Storage::dense_double, {.start = start});
  EXPECT_EQ(result.clusters, (std::vector<Index>{3, 1, 1, 0}));
  EXPECT_EQ(result.centroids, start.centroids);
}

TEST(Kmeans, TellsWhatEachIterationDid) {
  const Sample sample = blobs_with_pairs(60, 3, 2, 7);
  StoredSample stored(sample);
  tamis::Run run;
  std::vector<std::string> events;
  run.trace = Trace([&](const TraceEvent& event) { events.emplace_back(event.name); });
  Index steps = 0;
  run.progress = Progress([&](std::string_view stage, Index done, Index total) {
    EXPECT_EQ(stage, "kmeans");
    EXPECT_EQ(done, ++steps);
    EXPECT_EQ(total, 2);
  });
  const Clustering result = kmeans(stored.problem(), {.n_clusters = 4, .restarts = 2}, {}, run);
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(std::ranges::count(events, "start"), 2);
  const auto& iterations = result.iterations;
  EXPECT_GE(std::ranges::count(events, "iteration"), std::ssize(iterations));
  EXPECT_EQ(iterations.front().changed, 60);
  EXPECT_EQ(iterations.back().changed, 0);
  EXPECT_EQ(iterations.back().objective, result.objective);
  for (std::size_t t = 1; t < iterations.size(); ++t)
    EXPECT_LE(iterations[t].objective, iterations[t - 1].objective * (1.0 + 1e-12));
  const NaiveViolations broken = naive_violations(NaiveLinks(sample), result.clusters);
  EXPECT_EQ(iterations.back().must_link_violations, broken.must_link);
  EXPECT_EQ(iterations.back().cannot_link_violations, broken.cannot_link);
}

TEST(Kmeans, MayMakeFewerClustersThanThereAreClasses) {
  const Sample sample = blobs(30, 2, 2, 8);
  EXPECT_EQ(std::ranges::max(run(sample, {.n_clusters = 2}).clusters), 1);
  EXPECT_EQ(std::ranges::max(run(sample, {}).clusters), 2);
}

TEST(Kmeans, GivesTheSameBitsForAnyNumberOfThreadsAndStorage) {
  const Sample sample{.x = sparse_table(700, 40, 6)};
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 6, .restarts = 2}, storage);
    };
    const Clustering one = with_threads(1);
    expect_same_bits(one, with_threads(3));
    expect_same_bits(one, run(sample, {.n_clusters = 6, .restarts = 2}));
  }
}

TEST(Kmeans, SaysWhenItStoppedEarly) {
  const Clustering result =
      run({.x = random_table(300, 4, 7)}, {.n_clusters = 10, .restarts = 1, .max_iter = 1});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations.size(), 2);
}

TEST(Kmeans, DrawsFromTheSeedOfTheRun) {
  const StoredSample stored({.x = random_table(200, 3, 9)});
  const auto with_seed = [&](std::uint64_t seed) {
    const KmeansOptions options{.n_clusters = 9, .restarts = 1, .max_iter = 1};
    return kmeans(stored.problem(), options, {}, {.seed = seed}).centroids;
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(Kmeans, RefusesWhatCannotBe) {
  const Sample sample{.x = random_table(3, 2, 8)};
  EXPECT_EQ(message_of<DataError>([&] { run(sample, {.n_clusters = 4}); }),
            "kmeans: 4 clusters need as many rows, and there are 3");
  EXPECT_EQ(message_of<DataError>([&] {
              run(sample, {.n_clusters = 2}, Storage::dense_double,
                  {.start = ClusterStart{.centroids = {1, 2}}});
            }),
            "kmeans: the start has 2 values, but 2 centroids of 2 columns are 4; give a line for "
            "each cluster and in it a value for each column");
  EXPECT_THROW(run(sample, {.n_clusters = 0}), InvalidArgument);
}

}  // namespace
}  // namespace tamis::test
