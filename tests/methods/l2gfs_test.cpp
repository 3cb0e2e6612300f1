#include "tamis/methods/l2gfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/golden.hpp"
#include "support/golden_clustering.hpp"
#include "support/message_of.hpp"
#include "support/naive_weighted_kmeans.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Sample;
using test::Storage;

Clustering from_start(const Sample& sample, const L2gfsOptions& options, const ClusterStart& start,
                      Storage storage = Storage::dense_double) {
  return l2gfs_clustering(test::StoredSample(sample, storage).problem(), options, {.start = start});
}

/// Section 4.3.2 of the thesis, step by step, for a given start.
struct Naive {
  Naive(const Sample& of, double of_beta, const ClusterStart& start)
      : sample(of),
        links(of),
        beta(of_beta),
        n_clusters(std::ssize(start.centroids) / of.x.cols),
        centroids(start.centroids),
        weights(start.weights) {}

  double distance(Index i, Index q) const {
    return test::naive_distance(sample.x, i, &centroids[q * sample.x.cols],
                                &weights[q * sample.x.cols], beta);
  }

  void place() {
    clusters.assign(sample.x.rows, -1);
    for (Index i = 0; i < sample.x.rows; ++i) {
      std::vector<std::pair<double, double>> cost;  // broken links, then distance
      for (Index q = 0; q < n_clusters; ++q) {
        double broken = 0.0;
        for (Index r = 0; r < i; ++r)
          broken += clusters[r] == q ? links.cannot(i, r) : links.must(i, r);
        cost.emplace_back(broken, distance(i, q));
      }
      clusters[i] = std::ranges::min_element(cost) - cost.begin();
    }
  }

  void move() {
    const Index cols = sample.x.cols;
    for (Index q = 0; q < n_clusters; ++q) {
      const auto count = static_cast<double>(std::ranges::count(clusters, q));
      if (count == 0.0) continue;
      std::vector<double> dispersion(cols, 0.0);
      for (Index r = 0; r < cols; ++r) {
        std::vector<double> values;
        for (Index i = 0; i < sample.x.rows; ++i)
          if (clusters[i] == q) values.push_back(sample.x(i, r));
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
        centroids[q * cols + r] = mean;
        if (std::ranges::min(values) != std::ranges::max(values))
          for (const double value : values) dispersion[r] += std::pow(value - mean, 2);
      }
      std::ranges::copy(test::naive_weights(dispersion, beta), weights.begin() + q * cols);
    }
  }

  double objective() const {
    double sum = 0.0;
    for (Index i = 0; i < sample.x.rows; ++i) sum += distance(i, clusters[i]);
    return sum;
  }

  const Sample& sample;
  test::NaiveLinks links;
  double beta;
  Index n_clusters;
  std::vector<double> centroids;
  std::vector<double> weights;
  std::vector<Index> clusters;
};

Sample without_supervision(Sample sample) {
  sample.labels.clear();
  sample.pairs.reset();
  return sample;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t s = 0; s < actual.size(); ++s) EXPECT_NEAR(actual[s], expected[s], tolerance);
}

TEST(L2gfs, MatchesTheNaiveFormulasInEveryStorage) {
  for (const Sample& sample :
       {test::blobs_with_pairs(40, 7, 3, /*seed=*/1),
        without_supervision(test::blobs(37, 5, 3, /*seed=*/2)),
        Sample{test::sparse_table(45, 20, 3), test::blobs(45, 1, 4, 0).labels},
        test::with_constant_column(test::blobs(30, 5, 10, 4), 2, 0.1F),
        without_supervision({test::random_table(300, 6, 5)})})
    for (const double beta : {-0.1, -2.0, 2.0})
      for (const Storage storage : test::kStorages) {
        SCOPED_TRACE(testing::Message()
                     << sample.x.rows << " rows, beta " << beta << ", " << test::name_of(storage));
        const ClusterStart start = test::start_of(sample, 4, 4, /*seed=*/5);
        Naive naive(sample, beta, start);
        const Clustering ours =
            from_start(sample, {.beta = beta, .n_clusters = 4, .max_iter = 100}, start, storage);
        for (const ClusterIteration& iteration : ours.iterations) {
          naive.place();
          naive.move();
          EXPECT_NEAR(iteration.objective, naive.objective(), 1e-9 * naive.objective());
        }
        if (!ours.converged) continue;
        EXPECT_EQ(ours.clusters, naive.clusters);
        expect_near(ours.weights, naive.weights, 1e-12);
        expect_near(ours.centroids, naive.centroids, 1e-12);
      }
}

TEST(L2gfs, HasTheGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const test::GoldenClustering golden = test::load_golden_clustering(name, "l2gfs");
    const Clustering ours =
        from_start(golden.sample, {.beta = golden.beta}, {golden.centroids, golden.weights});
    ASSERT_EQ(ours.iterations.size(), golden.objectives.size());
    for (std::size_t t = 0; t < golden.objectives.size(); ++t)
      EXPECT_NEAR(ours.iterations[t].objective, golden.objectives[t], 1e-6);
    EXPECT_TRUE(ours.converged);
    EXPECT_EQ(ours.clusters, golden.assignment);
    expect_near(ours.weights, golden.local_weights, 1e-6);
    const Index cols = golden.sample.x.cols;
    std::vector<double> global(cols, 0.0);
    for (Index s = 0; s < std::ssize(ours.weights); ++s) global[s % cols] += ours.weights[s] / 3.0;
    expect_near(global, golden.final_weights, 1e-6);
  }
}

TEST(L2gfs, KeepsEveryConstraintOfLabels) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed);
    const Index rows = 20 + random.below(60);
    const Sample sample{test::random_table(rows, 1 + random.below(9), seed),
                        test::blobs(rows, 1, 1 + random.below(6), 0).labels};
    const Clustering ours = l2gfs_clustering(test::StoredSample(sample).problem(),
                                             {.n_clusters = 3 + random.below(3), .restarts = 2});
    for (const ClusterIteration& iteration : ours.iterations) {
      EXPECT_EQ(iteration.must_link_violations, 0);
      EXPECT_EQ(iteration.cannot_link_violations, 0);
    }
    for (Index i = 0; i < rows; ++i)
      for (Index r = 0; r < i; ++r)
        if (sample.labels[i] >= 0 && sample.labels[r] >= 0) {
          EXPECT_EQ(ours.clusters[i] == ours.clusters[r], sample.labels[i] == sample.labels[r]);
        }
  }
}

TEST(L2gfs, BreaksTheFewestLinksWhereSomeMustBreak) {
  Sample sample{test::random_table(12, 3, /*seed=*/1)};
  sample.pairs = PairConstraints{.cannot_link = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}}};
  const Clustering ours =
      l2gfs_clustering(test::StoredSample(sample).problem(), {.n_clusters = 2, .restarts = 1});
  EXPECT_EQ(ours.iterations.back().cannot_link_violations, 2);  // of a triangle and a fan
}

TEST(L2gfs, ReturnsTheBestAssignmentOfACircle) {
  Sample sample{test::Dense(5, 1)};
  sample.x.values = {7.0, 1.0, 6.0, 16.0, 6.0};
  sample.pairs = PairConstraints{.cannot_link = {{0, 2}, {0, 4}}};
  const Clustering ours = from_start(sample, {.n_clusters = 2}, {.centroids = {6.0, 6.0}});
  std::vector<double> objectives;
  for (const ClusterIteration& iteration : ours.iterations)
    objectives.push_back(iteration.objective);
  expect_near(objectives, {114.0, 343.0 / 6.0, 254.0 / 3.0, 343.0 / 6.0}, 1e-12);
  EXPECT_FALSE(ours.converged);
  EXPECT_NEAR(ours.objective, 343.0 / 6.0, 1e-12);
  double recomputed = 0.0;
  for (Index i = 0; i < 5; ++i)
    recomputed += std::pow(sample.x(i, 0) - ours.centroids[ours.clusters[i]], 2);
  EXPECT_NEAR(recomputed, ours.objective, 1e-12);
  EXPECT_EQ(ours.warnings, std::vector<std::string>{
                               "l2gfs: 1 of 1 runs came back to an earlier assignment; of each the "
                               "best one visited counts"});
}

TEST(L2gfs, PlacesLinkedRowsInAGivenOrder) {
  Sample sample{test::Dense(4, 1)};
  sample.x.values = {0.0, 1.0, 10.0, 0.4};
  sample.pairs = PairConstraints{.cannot_link = {{0, 1}}};
  const ClusterStart start{.centroids = {0.0, 10.0}, .weights = {1.0}};
  const test::StoredSample stored(sample);
  const L2gfsOptions options{.n_clusters = 2, .max_iter = 1};
  EXPECT_EQ(l2gfs_clustering(stored.problem(), options, {.start = start}).clusters,
            (std::vector<Index>{0, 1, 1, 0}));
  EXPECT_EQ(
      l2gfs_clustering(stored.problem(), options, {.start = start, .order = {1, 0, 2, 3}}).clusters,
      (std::vector<Index>{1, 0, 1, 0}));
}

TEST(L2gfs, GivesTheSameBitsForAnyNumberOfThreadsAndTheSameClustersInEveryStorage) {
  const Sample sample{test::sparse_table(900, 40, 6), test::blobs(900, 1, 30, 0).labels};
  const Clustering exact = l2gfs_clustering(test::StoredSample(sample).problem());
  for (const Storage storage : test::kStorages) {
    SCOPED_TRACE(test::name_of(storage));
    const test::StoredSample stored(sample, storage);
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return l2gfs(stored.problem()).scores;
    };
    EXPECT_EQ(with_threads(1), with_threads(3));
    const Clustering ours = l2gfs_clustering(stored.problem());
    EXPECT_EQ(ours.clusters, exact.clusters);
    expect_near(ours.weights, exact.weights, 1e-9);
  }
}

TEST(L2gfs, DoesNotMindAnOffsetOrATableInOtherUnits) {
  const Sample sample = test::blobs(80, 6, 3, /*seed=*/7);
  const std::vector<double> scores = l2gfs(test::StoredSample(sample).problem()).scores;
  for (const double factor : {4.0, 0x1p-300, 0x1p300}) {
    Sample other = sample;
    for (double& value : other.x.values) value = (value + 1024.0) * factor;
    test::expect_scores_near(l2gfs(test::StoredSample(other).problem()).scores, scores, 1e-9);
  }
}

TEST(L2gfs, WeighsTheFeaturesOfEachCluster) {
  const Clustering ours = l2gfs_clustering(
      test::StoredSample(test::blobs(60, 6, 3, /*seed=*/8)).problem(), {.beta = 2.0});
  ASSERT_EQ(ours.weights.size(), 18U);
  for (Index q = 0; q < 3; ++q)
    EXPECT_NEAR(std::accumulate(&ours.weights[q * 6], &ours.weights[q * 6] + 6, 0.0), 1.0, 1e-12);
}

/// Three far clusters by column 0, in which columns take single values: all different (1), two
/// equal (2), all equal (3).
Sample separated_sample() {
  Sample sample{test::random_table(60, 5, /*seed=*/9), test::blobs(60, 1, 20, 0).labels};
  for (Index i = 0; i < 60; ++i) {
    const auto cluster = static_cast<double>(i % 3);
    sample.x(i, 0) += 100.0 * cluster;
    sample.x(i, 1) = 0.1 * cluster;
    sample.x(i, 2) = i % 3 == 1 ? 0.3 : 0.1;
    sample.x(i, 3) = 0.7;
  }
  return sample;
}

TEST(L2gfs, PutsFirstWhatTellsAllClustersApartAndRejectsWhatTellsSome) {
  for (const Storage storage : test::kStorages)
    for (const RankBy rank_by : {RankBy::weight, RankBy::distance_weight}) {
      const Ranking ranking = l2gfs(test::StoredSample(separated_sample(), storage).problem(),
                                    {.beta = 2.0, .rank_by = rank_by});
      EXPECT_EQ(ranking.scores[1], HUGE_VAL);
      EXPECT_EQ(ranking.order.front(), 1);
      EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{2, 3}));
    }
}

TEST(L2gfs, LeavesAConstantColumnUndefined) {
  const test::StoredSample stored(
      test::with_constant_column(test::blobs(50, 6, 3, /*seed=*/10), 1, 0.1));
  const Ranking ranking = l2gfs(stored.problem());
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{1});
  EXPECT_EQ(ranking.order.back(), 1);
}

TEST(L2gfs, KeepsTheCentroidAndTheWeightsOfAnEmptyCluster) {
  const Sample sample{test::random_table(30, 3, /*seed=*/11)};
  ClusterStart start = test::start_of(sample, 3, 3, /*seed=*/1);
  for (Index r = 0; r < 3; ++r) start.centroids[3 + r] = 1e3;
  const Clustering ours = from_start(sample, {.n_clusters = 3}, start);
  EXPECT_EQ(std::ranges::count(ours.clusters, 1), 0);
  for (Index r = 3; r < 6; ++r) {
    EXPECT_EQ(ours.centroids[r], 1e3);
    EXPECT_EQ(ours.weights[r], start.weights[r]);
  }
}

TEST(L2gfs, GivesWeightsOfColumnsToEveryCluster) {
  const Sample sample = test::blobs(40, 4, 3, /*seed=*/12);
  ClusterStart start = test::start_of(sample, 3, 1, /*seed=*/1);
  const Clustering few = from_start(sample, {}, start);
  for (int copy = 0; copy < 2; ++copy)
    for (Index r = 0; r < 4; ++r) start.weights.push_back(start.weights[r]);
  EXPECT_EQ(few.weights, from_start(sample, {}, start).weights);
}

TEST(L2gfs, GivesMoreWeightToTheWavesThanToTheNoiseAroundThem) {
  const test::StoredSample wave(test::wave_sample(1500, 3, /*seed=*/0));
  const Ranking ranking = l2gfs(wave.problem(), {.restarts = 4});
  double waves = 0.0;
  double noise = 0.0;
  for (Index r = 0; r < 40; ++r) (r >= 1 && r <= 19 ? waves : noise) += ranking.scores[r];
  EXPECT_LT(noise / 21.0, waves / 19.0);
}

TEST(L2gfs, RefusesWhatCannotBe) {
  const Sample sample = test::blobs(30, 4, 3, /*seed=*/13);
  const test::StoredSample stored(sample);
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { l2gfs(stored.problem(), {.beta = 1.0}); }).substr(0, 40),
      "l2gfs: beta = 1 must be < 0 or > 1: at 0");
  EXPECT_THROW(l2gfs(stored.problem(), {.max_iter = 0}), InvalidArgument);
  EXPECT_THROW(l2gfs(stored.problem(), {.n_clusters = 31}), DataError);
  EXPECT_THROW(l2gfs(stored.problem(), {.n_clusters = 2}), DataError);
  EXPECT_THROW(from_start(sample, {}, test::start_of(sample, 4, 4, /*seed=*/1)), DataError);
}

TEST(L2gfs, SaysHowManyClustersItMakesIfNothingTells) {
  const Sample sample = without_supervision(test::blobs(30, 4, 3, /*seed=*/13));
  const Ranking ranking = l2gfs(test::StoredSample(sample).problem());
  EXPECT_EQ(
      std::ranges::count(ranking.diagnostics.warnings,
                         "l2gfs makes 8 clusters, because no row has a label and nothing says "
                         "how many there are; set n_clusters"),
      1);
}

TEST(L2gfs, TellsTheIterationsOfItsBestRun) {
  const test::StoredSample stored(test::blobs(40, 5, 4, /*seed=*/5));
  const Ranking ranking = l2gfs(stored.problem(), {.restarts = 3});
  const Clustering best = l2gfs_clustering(stored.problem(), {.restarts = 3});
  ASSERT_EQ(ranking.iterations->size(), best.iterations.size());
  for (std::size_t s = 0; s < best.iterations.size(); ++s) {
    EXPECT_EQ((*ranking.iterations)[s].objective, best.iterations[s].objective);
    EXPECT_EQ((*ranking.iterations)[s].changed, best.iterations[s].changed);
  }
}

}  // namespace
}  // namespace tamis
