#include "clustering/kmeans/seeded_kmeans.hpp"

#include "clustering/kmeans/kmeans.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Clustering run(const Sample& sample, const SeededKmeansOptions& options = {},
               Storage storage = Storage::dense_double, const ClusterGiven& given = {}) {
  const StoredSample stored(sample, storage);
  return seeded_kmeans(stored.problem(), options, given);
}

/// The first start that the trace tells, a vector for each centroid.
std::vector<std::vector<double>> first_start(const Sample& sample,
                                             const SeededKmeansOptions& options) {
  const StoredSample stored(sample);
  tamis::Run run;
  std::vector<std::vector<double>> start;
  run.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "start" && start.empty())
      start = std::get<std::vector<std::vector<double>>>(event.fields[1].second);
  });
  seeded_kmeans(stored.problem(), options, {}, run);
  return start;
}

std::vector<double> class_means(const Sample& sample) {
  std::vector<double> means(3 * sample.x.cols, 0.0);
  naive_means(sample.x, sample.labels, means);
  return means;
}

TEST(SeededKmeans, StartsAtClassMeans) {
  const Sample sample = blobs(60, 4, 3, 1);
  const std::vector<double> means = class_means(sample);
  const auto start = first_start(sample, {});
  ASSERT_EQ(start.size(), 3);
  for (Index c = 0; c < 3; ++c)
    for (Index r = 0; r < 4; ++r) EXPECT_NEAR(start[c][r], means[c * 4 + r], 1e-14);
}

TEST(SeededKmeans, CountsRowsMustLinkedToLabeledOnesAsLabeled) {
  Sample sample{.x = random_table(9, 2, 2), .labels = {0, -1, -1, 1, -1, -1, -1, -1, -1}};
  sample.pairs = PairConstraints{.must_link = {{0, 5}, {5, 7}}};
  const auto start = first_start(sample, {});
  for (Index r = 0; r < 2; ++r)
    EXPECT_NEAR(start[0][r], (sample.x(0, r) + sample.x(5, r) + sample.x(7, r)) / 3.0, 1e-14);
}

TEST(SeededKmeans, EqualsPlainLoopsFromClassMeans) {
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const Sample sample = blobs(200, 5, 2, 3);
    const Dense& x = sample.x;
    const Clustering expected =
        naive_lloyd(x, class_means(sample), 100,
                    [&](std::vector<Index>& clusters, const std::vector<double>& centroids) {
                      for (Index i = 0; i < x.rows; ++i)
                        clusters[i] = naive_nearest(x, i, centroids, [](Index) { return true; });
                    });
    expect_same(run(sample, {}, storage), expected);
  }
}

TEST(SeededKmeans, DrawsFurtherCentroidsFromDistantUnlabeledRows) {
  Sample sample = blobs(60, 3, 3, 4);
  for (Index i = 50; i < 60; ++i) sample.x(i, 0) += 500.0;  // a class that nobody labeled
  const auto start = first_start(sample, {.n_clusters = 4});
  ASSERT_EQ(start.size(), 4);
  EXPECT_GT(start[3][0], 400.0);
  const Clustering result = run(sample, {.n_clusters = 4});
  for (Index i = 50; i < 60; ++i) EXPECT_EQ(result.clusters[i], 3);
}

TEST(SeededKmeans, RunsOnceIfThereIsNothingToDraw) {
  const StoredSample stored(blobs(60, 3, 3, 5));
  tamis::Run run;
  Index steps = 0;
  run.progress = Progress([&](std::string_view, Index, Index) { ++steps; });
  seeded_kmeans(stored.problem(), {}, {}, run);
  EXPECT_EQ(steps, 1);
  seeded_kmeans(stored.problem(), {.n_clusters = 5, .restarts = 4}, {}, run);
  EXPECT_EQ(steps, 5);
}

TEST(SeededKmeans, IsKmeansFromAGivenStart) {
  const Sample sample = blobs(80, 3, 2, 6);
  const ClusterGiven given{.start =
                               ClusterStart{.centroids = rows_as_centroids(sample.x, {1, 2, 3})}};
  const StoredSample stored(sample);
  expect_same_bits(run(sample, {}, Storage::dense_double, given),
                   kmeans(stored.problem(), {}, given));
}

TEST(SeededKmeans, IsKmeansWithoutLabelsAndSaysSo) {
  const Sample sample{.x = random_table(50, 3, 7)};
  const Clustering result = run(sample, {.n_clusters = 4});
  EXPECT_EQ(result.warnings, std::vector<std::string>{"seeded_kmeans got no labels: it is kmeans"});
  const StoredSample stored(sample);
  expect_same_bits(result, kmeans(stored.problem(), {.n_clusters = 4}));
}

TEST(SeededKmeans, GivesTheSameBitsForAnyNumberOfThreads) {
  const Sample sample = blobs_with_pairs(700, 30, 3, 8);
  for (const Storage storage : kStorages) {
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 6, .restarts = 2}, storage);
    };
    expect_same_bits(with_threads(1), with_threads(3));
  }
}

TEST(SeededKmeans, RefusesWhatCannotBe) {
  Sample sample = blobs(9, 2, 3, 9);
  EXPECT_EQ(message_of<DataError>([&] { run(sample, {.n_clusters = 4}); }),
            "seeded_kmeans: the 1 clusters beyond the 3 labeled classes begin at as many rows "
            "without a label, and there are 0");
  EXPECT_THROW(run(sample, {.n_clusters = 2}), DataError);
  EXPECT_THROW(run(sample, {.n_clusters = 10}), DataError);
  sample.pairs = PairConstraints{.must_link = {{0, 1}}};
  EXPECT_EQ(message_of<DataError>([&] { run(sample); }),
            "rows 0 and 1 contradict: a must-link joins them, but labels and must-links put the "
            "first into class 0 and the second into class 1");
}

}  // namespace
}  // namespace tamis::test
