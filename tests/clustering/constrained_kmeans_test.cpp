#include "clustering/kmeans/constrained_kmeans.hpp"

#include "clustering/kmeans/seeded_kmeans.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Clustering run(const Sample& sample, const ConstrainedKmeansOptions& options = {},
               Storage storage = Storage::dense_double, const ClusterGiven& given = {}) {
  const StoredSample stored(sample, storage);
  return constrained_kmeans(stored.problem(), options, given);
}

/// Classes that overlap: k-means would move labeled rows.
Sample overlapping(Index rows, std::uint64_t seed) {
  Sample sample{.x = random_table(rows, 3, seed), .labels = std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < 12; ++i) sample.labels[i] = i % 3;
  return sample;
}

TEST(ConstrainedKmeans, EqualsPlainLoopsWithLabeledRowsInPlace) {
  for (const Storage storage : kStorages)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(name_of(storage));
      const Sample sample = overlapping(150, seed);
      const Dense& x = sample.x;
      std::vector<double> start(9, 0.0);
      naive_means(x, sample.labels, start);
      const Clustering expected = naive_lloyd(
          x, start, 100, [&](std::vector<Index>& clusters, const std::vector<double>& centroids) {
            for (Index i = 0; i < x.rows; ++i)
              clusters[i] = sample.labels[i] != kUnlabeled
                                ? sample.labels[i]
                                : naive_nearest(x, i, centroids, [](Index) { return true; });
          });
      expect_same(run(sample, {}, storage), expected);
    }
}

TEST(ConstrainedKmeans, KeepsLabeledRowsThatSeededKmeansMoves) {
  const Sample sample = overlapping(150, 7);
  const Clustering kept = run(sample, {.n_clusters = 5});
  for (Index i = 0; i < 12; ++i) EXPECT_EQ(kept.clusters[i], sample.labels[i]);
  EXPECT_EQ(kept.iterations.back().must_link_violations, 0);
  EXPECT_EQ(kept.iterations.back().cannot_link_violations, 0);
  const StoredSample stored(sample);
  EXPECT_GT(seeded_kmeans(stored.problem()).iterations.back().cannot_link_violations, 0);
}

TEST(ConstrainedKmeans, KeepsRowsMustLinkedToLabeledOnes) {
  Sample sample = overlapping(60, 8);
  sample.pairs = PairConstraints{.must_link = {{0, 40}, {40, 41}, {50, 51}}};
  const Clustering result = run(sample);
  EXPECT_EQ(result.clusters[40], 0);
  EXPECT_EQ(result.clusters[41], 0);
}

TEST(ConstrainedKmeans, KeepsLabeledRowsFromAnyGivenStart) {
  const Sample sample = overlapping(60, 9);
  const ClusterGiven given{
      .start = ClusterStart{.centroids = rows_as_centroids(sample.x, {20, 30, 40})}};
  const Clustering result = run(sample, {}, Storage::dense_double, given);
  for (Index i = 0; i < 12; ++i) EXPECT_EQ(result.clusters[i], sample.labels[i]);
}

TEST(ConstrainedKmeans, NumbersClustersByClassEvenIfLabelsSkipNumbers) {
  Sample sample = overlapping(60, 10);
  for (Index& label : sample.labels)
    if (label != kUnlabeled) label = 10 * label + 5;
  const Clustering result = run(sample);
  for (Index i = 0; i < 12; ++i) EXPECT_EQ(result.clusters[i], i % 3);
}

TEST(ConstrainedKmeans, ObjectiveNeverRises) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Clustering result = run(overlapping(80, seed), {.n_clusters = 5, .restarts = 1});
    for (std::size_t t = 1; t < result.iterations.size(); ++t)
      EXPECT_LE(result.iterations[t].objective, result.iterations[t - 1].objective * (1.0 + 1e-12));
  }
}

TEST(ConstrainedKmeans, GivesTheSameBitsForAnyNumberOfThreads) {
  const Sample sample = blobs_with_pairs(700, 30, 3, 11);
  for (const Storage storage : kStorages) {
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 6, .restarts = 2}, storage);
    };
    expect_same_bits(with_threads(1), with_threads(3));
  }
}

TEST(ConstrainedKmeans, RefusesFewerClustersThanClasses) {
  EXPECT_EQ(message_of<DataError>([] { run(overlapping(60, 1), {.n_clusters = 2}); }),
            "constrained_kmeans: 2 clusters are fewer than the 3 labeled classes, so that rows of "
            "different classes would have to share a cluster; ask for at least 3 clusters "
            "(n_clusters) or give labels of fewer classes");
}

}  // namespace
}  // namespace tamis::test
