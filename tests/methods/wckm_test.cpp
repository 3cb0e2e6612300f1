#include "tamis/methods/wckm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/golden.hpp"
#include "support/golden_clustering.hpp"
#include "support/message_of.hpp"
#include "support/naive_wckm.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Sample;
using test::Storage;

Clustering from_start(const Sample& sample, const WckmOptions& options, const ClusterStart& start,
                      Storage storage = Storage::dense_double) {
  return wckm_clustering(test::StoredSample(sample, storage).problem(), options, {.start = start});
}

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

void expect_matches_naive(const Sample& sample, const WckmOptions& options,
                          const ClusterStart& start, Storage storage) {
  test::NaiveWckm naive(sample, options, start);
  if (options.weights == FeatureWeights::fixed)
    naive.weights.assign(sample.x.cols, 1.0 / static_cast<double>(sample.x.cols));
  const ClusterStart given =
      options.weights == FeatureWeights::fixed ? ClusterStart{start.centroids, {}} : start;
  const Clustering ours = from_start(sample, options, given, storage);
  const double tolerance = test::tolerance(storage) * 10.0;
  for (const ClusterIteration& iteration : ours.iterations) {
    naive.solve_memberships();
    naive.move();
    EXPECT_NEAR(iteration.objective, naive.objective(), tolerance * naive.objective());
  }
  expect_near(ours.weights, naive.weights, tolerance);
  expect_near(ours.centroids, naive.centroids, tolerance * 10.0);
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index q = 0; q < 3; ++q)
      EXPECT_NEAR(ours.memberships[i * 3 + q], naive.memberships[i][q], tolerance * 10.0);
}

TEST(Wckm, MatchesTheNaiveFormulasInEveryStorage) {
  for (const Sample& sample :
       {test::blobs_with_pairs(40, 7, 3, /*seed=*/1), test::blobs_with_weighted_pairs(40, 7, 3, 8),
        without_supervision(test::blobs(37, 5, 3, /*seed=*/2)),
        Sample{test::sparse_table(45, 20, 3), test::blobs(45, 1, 4, 0).labels},
        test::with_constant_column(test::blobs(30, 5, 10, 4), 2, 0.1)})
    for (const double beta : {-0.1, -2.0, 2.0})
      for (const double penalty : {0.0, 1.0, 40.0})
        for (const Storage storage : test::kStorages) {
          SCOPED_TRACE(testing::Message() << sample.x.rows << " rows, beta " << beta << ", penalty "
                                          << penalty << ", " << test::name_of(storage));
          const WckmOptions options{
              .beta = beta, .penalty = penalty, .n_clusters = 3, .max_iter = 3};
          expect_matches_naive(sample, options, test::start_of(sample, 3, 1, /*seed=*/5), storage);
        }
}

TEST(Wckm, MatchesTheNaiveFormulasWithHardMembershipsAndFixedWeights) {
  for (const Sample& sample :
       {test::blobs_with_weighted_pairs(40, 7, 3, 8),
        without_supervision(test::blobs(37, 5, 3, /*seed=*/2)),
        Sample{test::sparse_table(45, 20, 3), test::blobs(45, 1, 4, 0).labels}})
    for (const Membership membership : {Membership::fuzzy, Membership::hard})
      for (const FeatureWeights weights : {FeatureWeights::learned, FeatureWeights::fixed})
        for (const Storage storage : test::kStorages) {
          SCOPED_TRACE(testing::Message()
                       << sample.x.rows << " rows, " << word_of(membership) << ", "
                       << word_of(weights) << ", " << test::name_of(storage));
          const WckmOptions options{.beta = 2.0,
                                    .n_clusters = 3,
                                    .max_iter = 4,
                                    .membership = membership,
                                    .weights = weights};
          expect_matches_naive(sample, options, test::start_of(sample, 3, 1, /*seed=*/5), storage);
        }
}

// Not with `nasty`: its values follow the rounding of a constant column, whose dispersion is 0.
TEST(Wckm, IsWKmeansWithItsGoldenValues) {
  for (const char* const name : {"plain", "integers"}) {
    SCOPED_TRACE(name);
    const auto golden = test::load_golden_clustering(name, "w_kmeans");
    const Clustering ours =
        from_start(without_supervision(golden.sample),
                   {.beta = golden.beta, .n_clusters = 3, .membership = Membership::hard},
                   {golden.centroids, golden.weights});
    EXPECT_EQ(ours.clusters, golden.assignment);
    expect_near(ours.weights, golden.final_weights, 1e-6);
    ASSERT_EQ(ours.iterations.size(), golden.objectives.size());
    for (std::size_t t = 0; t < golden.objectives.size(); ++t)
      EXPECT_NEAR(ours.iterations[t].objective, golden.objectives[t], 1e-6 * golden.objectives[t]);
  }
}

TEST(Wckm, IsFuzzyCMeansWithItsGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const auto golden = test::load_golden_clustering(name, "fuzzy_c_means");
    const Clustering ours =
        from_start(without_supervision(golden.sample),
                   {.beta = golden.beta, .n_clusters = 3, .weights = FeatureWeights::fixed},
                   {golden.centroids, {}});
    ASSERT_EQ(ours.iterations.size(), golden.objectives.size());
    for (std::size_t t = 0; t < golden.objectives.size(); ++t)
      EXPECT_NEAR(ours.iterations[t].objective, golden.objectives[t], 1e-6);
    expect_near(ours.memberships, golden.memberships, 1e-6);
  }
}

TEST(Wckm, RanksNothingByFixedWeightsAndTakesNoneForThem) {
  const test::StoredSample stored(test::blobs(20, 4, 3, /*seed=*/1));
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { wckm(stored.problem(), {.weights = FeatureWeights::fixed}); }),
            "wckm: weights = fixed leaves no weights to rank features by; it is for clustering");
  const ClusterGiven given{.start = ClusterStart{std::vector<double>(12), std::vector(4, 0.25)}};
  EXPECT_EQ(message_of<DataError>([&] {
              wckm_clustering(stored.problem(), {.weights = FeatureWeights::fixed}, given);
            }),
            "wckm: the start has weights, which count for nothing where weights are fixed; leave "
            "them out");
}

TEST(Wckm, HasTheGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const test::GoldenClustering golden = test::load_golden_clustering(name, "wckm");
    const Clustering ours =
        from_start(golden.sample, {.beta = golden.beta}, {golden.centroids, golden.weights});
    ASSERT_EQ(ours.iterations.size(), golden.objectives.size());
    for (std::size_t t = 0; t < golden.objectives.size(); ++t)
      EXPECT_NEAR(ours.iterations[t].objective, golden.objectives[t], 1e-6);
    EXPECT_TRUE(ours.converged);
    expect_near(ours.weights, golden.final_weights, 1e-6);
    expect_near(ours.memberships, golden.memberships, 1e-6);
  }
}

TEST(Wckm, NeverRaisesItsObjective) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    Sample sample =
        test::blobs_with_weighted_pairs(24 + random.below(40), 2 + random.below(8), 3, seed);
    if (seed % 3 == 0) sample = without_supervision(sample);
    const double betas[] = {-0.1, -3.0, 1.3, 4.0};
    const WckmOptions options{.beta = betas[seed % 4],
                              .penalty = std::exp(3.0 * random.normal()),
                              .n_clusters = 3 + random.below(3),
                              .restarts = 1};
    test::StoredSample stored(sample);
    const Clustering ours = wckm_clustering(stored.problem(), options, {}, {.seed = seed});
    SCOPED_TRACE(seed);
    for (std::size_t t = 1; t < ours.iterations.size(); ++t)
      EXPECT_LE(ours.iterations[t].objective, ours.iterations[t - 1].objective * (1.0 + 1e-12));
    for (Index i = 0; i < sample.x.rows; ++i) {
      const auto row = ours.memberships.begin() + i * *options.n_clusters;
      EXPECT_NEAR(std::accumulate(row, row + *options.n_clusters, 0.0), 1.0, 1e-12);
      EXPECT_GE(*std::min_element(row, row + *options.n_clusters), 0.0);
      EXPECT_EQ(std::max_element(row, row + *options.n_clusters) - row, ours.clusters[i]);
    }
    EXPECT_NEAR(std::accumulate(ours.weights.begin(), ours.weights.end(), 0.0), 1.0, 1e-12);
  }
}

TEST(Wckm, KeepsItsWeightsOverTwelveDecadesOfUnits) {
  const Sample sample = test::blobs(60, 13, 4, /*seed=*/3);
  Sample scaled = sample;
  for (Index i = 0; i < 60; ++i)
    for (Index r = 0; r < 13; ++r)
      scaled.x(i, r) = sample.x(i, r) * std::pow(10.0, static_cast<double>(r) - 6.0) + 3.0;
  for (const double beta : {-0.1, 2.0, 1.05})
    for (const Storage storage : {Storage::dense_double, Storage::dense_float}) {
      const Ranking ranking = wckm(test::StoredSample(scaled, storage).problem(), {.beta = beta});
      EXPECT_NEAR(std::accumulate(ranking.scores.begin(), ranking.scores.end(), 0.0), 1.0, 1e-9);
      EXPECT_EQ(ranking.order.front(), beta < 0.0 ? 12 : 0);
    }
}

TEST(Wckm, GivesTheSameBitsForAnyNumberOfThreadsAndNearlyTheSameInEveryStorage) {
  const Sample sample{test::sparse_table(900, 40, 6), test::blobs(900, 1, 30, 0).labels};
  const std::vector<double> exact = wckm(test::StoredSample(sample).problem()).scores;
  for (const Storage storage : test::kStorages) {
    SCOPED_TRACE(test::name_of(storage));
    const test::StoredSample stored(sample, storage);
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return std::pair(wckm(stored.problem(), {.restarts = 2}).scores,
                       wckm_clustering(stored.problem(), {.restarts = 2}).memberships);
    };
    EXPECT_EQ(with_threads(1), with_threads(3));
    test::expect_scores_near(wckm(stored.problem()).scores, exact, test::tolerance(storage) * 10.0);
  }
}

TEST(Wckm, DoesNotMindAnOffsetOrATableInOtherUnits) {
  const Sample sample = without_supervision(test::blobs(80, 6, 3, /*seed=*/7));
  const WckmOptions options{.n_clusters = 3};
  const std::vector<double> scores = wckm(test::StoredSample(sample).problem(), options).scores;
  for (const double factor : {4.0, 0x1p-300, 0x1p300}) {
    Sample other = sample;
    for (double& value : other.x.values) value = (value + 1024.0) * factor;
    test::expect_scores_near(wckm(test::StoredSample(other).problem(), options).scores, scores,
                             1e-9);
  }
}

TEST(Wckm, LeavesAConstantColumnUndefined) {
  const test::StoredSample stored(
      test::with_constant_column(test::blobs(50, 6, 3, /*seed=*/8), 1, 0.1));
  for (const RankBy rank_by : {RankBy::weight, RankBy::distance_weight}) {
    const Ranking ranking = wckm(stored.problem(), {.rank_by = rank_by});
    EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{1});
    EXPECT_EQ(ranking.order.back(), 1);
  }
  EXPECT_THROW(wckm(test::StoredSample({test::Dense(9, 2)}).problem(), {.n_clusters = 2}),
               DataError);
}

TEST(Wckm, RanksByTheDistanceWeightInTheOppositeOrderIfBetaIsNegative) {
  const test::StoredSample stored(test::blobs(60, 9, 3, /*seed=*/9));
  const auto order = [&](double beta, RankBy rank_by) {
    return wckm(stored.problem(), {.beta = beta, .rank_by = rank_by}).order;
  };
  std::vector<Index> opposite = order(-0.1, RankBy::weight);
  std::ranges::reverse(opposite);
  EXPECT_EQ(order(-0.1, RankBy::distance_weight), opposite);
  EXPECT_EQ(order(2.0, RankBy::distance_weight), order(2.0, RankBy::weight));
}

TEST(Wckm, GivesMoreWeightToTheWavesThanToTheNoiseAroundThem) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const test::StoredSample wave(test::wave_sample(1500, 3, seed));
    const Ranking ranking = wckm(wave.problem(), {.restarts = 4});
    double waves = 0.0;
    double noise = 0.0;
    for (Index r = 0; r < 40; ++r) (r >= 1 && r <= 19 ? waves : noise) += ranking.scores[r];
    EXPECT_LT(noise / 21.0, 0.9 * waves / 19.0);
  }
}

TEST(Wckm, SharesARowBetweenTwinCentroids) {
  Sample sample = without_supervision(test::blobs(20, 3, 2, /*seed=*/10));
  for (Index r = 0; r < 3; ++r) sample.x(1, r) = sample.x(0, r);
  ClusterStart start = test::start_of(sample, 3, 1, /*seed=*/1);
  for (Index r = 0; r < 3; ++r) start.centroids[r] = start.centroids[3 + r] = sample.x(0, r);
  const Clustering ours = from_start(sample, {.n_clusters = 3, .max_iter = 1}, start);
  for (Index i = 0; i < 2; ++i) {
    EXPECT_EQ(ours.memberships[i * 3], 0.5);
    EXPECT_EQ(ours.memberships[i * 3 + 1], 0.5);
    EXPECT_EQ(ours.memberships[i * 3 + 2], 0.0);
    EXPECT_EQ(ours.clusters[i], 0);
  }
}

TEST(Wckm, KeepsLabeledRowsTogetherAndApartIfThePenaltyIsLarge) {
  const test::StoredSample stored(test::blobs(60, 6, 5, /*seed=*/11));
  const Clustering ours = wckm_clustering(stored.problem(), {.penalty = 1000.0});
  EXPECT_EQ(ours.iterations.back().must_link_violations, 0);
  EXPECT_EQ(ours.iterations.back().cannot_link_violations, 0);
}

bool has_warning(const std::vector<std::string>& warnings, const std::string& text) {
  return std::ranges::any_of(
      warnings, [&](const std::string& w) { return w.find(text) != std::string::npos; });
}

TEST(Wckm, SaysWhenConstraintsHardlyAct) {
  // Labels that have nothing to do with the table: followed only if it costs much not to.
  const Sample sample{test::random_table(60, 6, /*seed=*/12), test::blobs(60, 1, 5, 0).labels};
  const auto warnings = [&](double penalty) {
    return wckm(test::StoredSample(sample).problem(), {.penalty = penalty}).diagnostics.warnings;
  };
  EXPECT_TRUE(has_warning(warnings(0.0), "the constraints hardly act"));
  EXPECT_TRUE(has_warning(warnings(0.0), "a penalty larger than 0 would make them count"));
  EXPECT_FALSE(has_warning(warnings(1000.0), "the constraints hardly act"));
}

TEST(Wckm, SaysWhenClassesMayBeMissingAndWhenThereIsNoSupervision) {
  Sample sample = test::blobs(60, 6, 3, /*seed=*/12);
  EXPECT_TRUE(has_warning(wckm(test::StoredSample(sample).problem()).diagnostics.warnings,
                          "one cluster for each of the 3 labeled classes"));
  sample.labels.assign(60, kUnlabeled);
  EXPECT_TRUE(has_warning(
      wckm(test::StoredSample(sample).problem(), {.n_clusters = 3}).diagnostics.warnings,
      "without supervision"));
}

TEST(Wckm, TellsWhatItsRunsDid) {
  const Ranking ranking =
      wckm(test::StoredSample(test::blobs(50, 5, 3, /*seed=*/13)).problem(), {.restarts = 3});
  std::vector<std::string> names;
  for (const auto& [name, value] : ranking.diagnostics.figures) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"clusters", "best_run", "objective", "soft_violations",
                                             "must_link_violations", "cannot_link_violations",
                                             "objective_of_run_0", "iterations_of_run_0",
                                             "objective_of_run_1", "iterations_of_run_1",
                                             "objective_of_run_2", "iterations_of_run_2"}));
  EXPECT_TRUE(ranking.diagnostics.converged);
  EXPECT_GT(ranking.diagnostics.iterations, 1);
}

TEST(Wckm, SaysWhenTheIterationLimitCame) {
  const Ranking ranking = wckm(test::StoredSample(test::blobs(50, 5, 3, /*seed=*/13)).problem(),
                               {.restarts = 3, .max_iter = 1});
  EXPECT_FALSE(ranking.diagnostics.converged);
  EXPECT_TRUE(has_warning(ranking.diagnostics.warnings, "3 of 3 runs did not settle"));
}

TEST(Wckm, AveragesTheWeightsOfItsRunsAndReturnsTheBestClustering) {
  const test::StoredSample stored(test::blobs(50, 5, 3, /*seed=*/14));
  std::vector<ClusterStart> starts;
  tamis::Run traced{.seed = 5};
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name != "start") return;
    ClusterStart start;
    for (const auto& line : std::get<std::vector<std::vector<double>>>(event.fields[1].second))
      start.centroids.insert(start.centroids.end(), line.begin(), line.end());
    start.weights = std::get<std::vector<double>>(event.fields[2].second);
    starts.push_back(start);
  });
  const WckmOptions options{.restarts = 4};
  const std::vector<double> scores = wckm(stored.problem(), options, traced).scores;
  ASSERT_EQ(starts.size(), 4U);
  std::vector<double> mean(5, 0.0);
  double best = HUGE_VAL;
  for (const ClusterStart& start : starts) {
    const Clustering run = wckm_clustering(stored.problem(), options, {.start = start});
    best = std::min(best, run.objective);
    for (Index r = 0; r < 5; ++r) mean[r] += run.weights[r] / 4.0;
  }
  expect_near(scores, mean, 1e-15);
  EXPECT_EQ(wckm_clustering(stored.problem(), options, {}, {.seed = 5}).objective, best);
}

TEST(Wckm, TracesStartsAndIterationsInOrderAndCountsRestarts) {
  const test::StoredSample stored(test::blobs(40, 4, 3, /*seed=*/15));
  tamis::Run run;
  std::vector<std::string> events;
  std::vector<Index> done;
  run.trace = Trace([&](const TraceEvent& event) {
    events.push_back(std::string(event.name) +
                     std::to_string(std::get<Index>(event.fields[0].second)));
  });
  run.progress = Progress([&](std::string_view stage, Index now, Index total) {
    EXPECT_EQ(stage, "wckm");
    EXPECT_EQ(total, 2);
    done.push_back(now);
  });
  wckm(stored.problem(), {.restarts = 2, .max_iter = 2}, run);
  EXPECT_EQ(events, (std::vector<std::string>{"start0", "iteration0", "iteration0", "start1",
                                              "iteration1", "iteration1"}));
  EXPECT_EQ(done, (std::vector<Index>{1, 2}));
}

TEST(Wckm, TakesUniformWeightsIfAStartGivesNone) {
  const Sample sample = test::blobs(40, 4, 3, /*seed=*/16);
  ClusterStart start = test::start_of(sample, 3, 1, /*seed=*/1);
  start.weights.assign(4, 0.25);
  const Clustering given = from_start(sample, {}, start);
  start.weights.clear();
  EXPECT_EQ(from_start(sample, {}, start).weights, given.weights);
}

TEST(Wckm, RefusesWhatCannotBe) {
  const Sample sample = test::blobs(30, 4, 3, /*seed=*/17);
  const test::StoredSample stored(sample);
  EXPECT_THROW(wckm(stored.problem(), {.beta = 0.5}), InvalidArgument);
  EXPECT_THROW(wckm(stored.problem(), {.restarts = 0}), InvalidArgument);
  EXPECT_THROW(wckm(stored.problem(), {.n_clusters = 31}), DataError);
  EXPECT_THROW(wckm(stored.problem(), {.n_clusters = 2}), DataError);
  Sample contradictory = sample;
  contradictory.pairs = PairConstraints{.must_link = {{0, 1}}};
  EXPECT_THROW(wckm(test::StoredSample(contradictory).problem()), DataError);
  EXPECT_EQ(message_of<DataError>(
                [&] { from_start(sample, {}, test::start_of(sample, 3, 3, /*seed=*/1)); }),
            "wckm: the start has 12 weights; there should be one for each of the 4 columns, as all "
            "clusters share them");
  EXPECT_THROW(from_start(sample, {}, test::start_of(sample, 4, 1, /*seed=*/1)), DataError);
}

TEST(Wckm, WorksOnAFullyLabeledTable) {
  const test::StoredSample stored(test::blobs(90, 5, 30, /*seed=*/18));
  const Ranking ranking = wckm(stored.problem());
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
}

TEST(Wckm, TellsTheIterationsOfItsBestRun) {
  const test::StoredSample stored(test::blobs(40, 5, 4, /*seed=*/5));
  const Ranking ranking = wckm(stored.problem(), {.restarts = 3});
  const Clustering best = wckm_clustering(stored.problem(), {.restarts = 3});
  ASSERT_EQ(ranking.iterations->size(), best.iterations.size());
  for (std::size_t s = 0; s < best.iterations.size(); ++s) {
    EXPECT_EQ((*ranking.iterations)[s].objective, best.iterations[s].objective);
    EXPECT_EQ((*ranking.iterations)[s].changed, best.iterations[s].changed);
  }
}

}  // namespace
}  // namespace tamis
