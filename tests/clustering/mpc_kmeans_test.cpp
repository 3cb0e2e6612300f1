#include "clustering/kmeans/mpc_kmeans.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Clustering run(const Sample& sample, const MpcKmeansOptions& options = {},
               const ClusterGiven& given = {}, Storage storage = Storage::dense_double) {
  const StoredSample stored(sample, storage);
  return mpc_kmeans(stored.problem(), options, given);
}

/// The objective and the two halves of an iteration, with all pairs in an n x n matrix.
struct NaiveMpc {
  NaiveMpc(const Sample& sample, const MpcKmeansOptions& chosen)
      : x(sample.x), links(sample), options(chosen), floors(x.cols), box(x.cols) {
    for (Index r = 0; r < x.cols; ++r) {
      double mean = 0.0;
      double low = x(0, r);
      double high = x(0, r);
      for (Index i = 0; i < x.rows; ++i) {
        mean += x(i, r) / static_cast<double>(x.rows);
        low = std::min(low, x(i, r));
        high = std::max(high, x(i, r));
      }
      for (Index i = 0; i < x.rows; ++i)
        floors[r] +=
            options.variance_floor * std::pow(x(i, r) - mean, 2) / static_cast<double>(x.rows);
      box[r] = std::pow(high - low, 2);
    }
  }

  double metric(const Clustering& state, Index h,
                const std::function<double(Index)>& square) const {
    double sum = 0.0;
    for (Index r = 0; r < x.cols; ++r) sum += state.weights[h * x.cols + r] * square(r);
    return sum;
  }
  double apart(const Clustering& state, Index h, Index i, Index j) const {
    return metric(state, h, [&](Index r) { return std::pow(x(i, r) - x(j, r), 2); });
  }
  double alone(const Clustering& state, Index h, Index i) const {
    double log_det = 0.0;
    for (Index r = 0; r < x.cols; ++r) log_det += std::log(state.weights[h * x.cols + r]);
    return metric(state, h,
                  [&](Index r) { return std::pow(x(i, r) - state.centroids[h * x.cols + r], 2); }) -
           log_det;
  }
  /// What the pair costs with row i in cluster h and row j in cluster g.
  double pair(const Clustering& state, Index i, Index h, Index j, Index g) const {
    double cost = 0.0;
    if (h != g) cost += links.must(i, j) * 0.5 * (apart(state, h, i, j) + apart(state, g, i, j));
    if (h == g)
      cost += links.cannot(i, j) *
              (metric(state, h, [&](Index r) { return box[r]; }) - apart(state, h, i, j));
    return options.penalty * cost;
  }
  double objective(const Clustering& state) const {
    double sum = 0.0;
    for (Index i = 0; i < x.rows; ++i) {
      sum += alone(state, state.clusters[i], i);
      for (Index j = 0; j < i; ++j) sum += pair(state, i, state.clusters[i], j, state.clusters[j]);
    }
    return sum;
  }
  void place(Clustering& state, const std::vector<Index>& order) const {
    for (const Index i : order) {
      Index best = 0;
      double least = HUGE_VAL;
      for (Index h = 0; h < std::ssize(state.centroids) / x.cols; ++h) {
        double cost = alone(state, h, i);
        for (Index j = 0; j < x.rows; ++j)
          if (j != i && state.clusters[j] != -1) cost += pair(state, i, h, j, state.clusters[j]);
        if (cost < least) {
          least = cost;
          best = h;
        }
      }
      state.clusters[i] = best;
    }
  }
  void update(Clustering& state) const {
    naive_means(x, state.clusters, state.centroids);
    for (Index h = 0; h < std::ssize(state.centroids) / x.cols; ++h) {
      const auto count = static_cast<double>(std::ranges::count(state.clusters, h));
      for (Index r = 0; r < x.cols && count > 0.0; ++r) {
        double sum = 0.0;
        for (Index i = 0; i < x.rows; ++i) {
          if (state.clusters[i] == h) sum += std::pow(x(i, r) - state.centroids[h * x.cols + r], 2);
          for (Index j = 0; j < i; ++j) {
            const double square = std::pow(x(i, r) - x(j, r), 2);
            const bool in_i = state.clusters[i] == h;
            const bool in_j = state.clusters[j] == h;
            if (in_i != in_j) sum += options.penalty * links.must(i, j) * 0.5 * square;
            if (in_i && in_j) sum += options.penalty * links.cannot(i, j) * (box[r] - square);
          }
        }
        state.weights[h * x.cols + r] = 1.0 / std::max(sum / count, floors[r]);
      }
    }
  }
  Clustering run(const std::vector<double>& start, const std::vector<Index>& order) const {
    Clustering state{.centroids = start,
                     .clusters = std::vector<Index>(x.rows, -1),
                     .weights = std::vector<double>(start.size(), 1.0)};
    place(state, order);
    for (Index t = 0; t < options.max_iter && !state.converged; ++t) {
      update(state);
      const std::vector<Index> before = state.clusters;
      place(state, order);
      state.converged = before == state.clusters;
    }
    state.objective = objective(state);
    return state;
  }

  Dense x;
  NaiveLinks links;
  MpcKmeansOptions options;
  std::vector<double> floors;
  std::vector<double> box;
};

/// Rows of several scales with random labels, so that constraints and distances disagree.
Sample disputed(Index rows, Index n_labeled, std::uint64_t seed) {
  Sample sample{.x = random_table(rows, 3, seed), .labels = std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < rows; ++i) sample.x(i, 1) *= 10.0;
  for (Index i = 0; i < n_labeled; ++i) sample.labels[i] = i % 3;
  sample.pairs = PairConstraints{
      .must_link = {{rows - 1, rows - 2, 0.5}, {rows - 2, rows - 3, 3.0}, {rows - 6, 0, 2.0}},
      .cannot_link = {{rows - 1, rows - 4}, {0, rows - 5, 4.0}, {0, 1, 2.5}}};
  return sample;
}

TEST(MpcKmeans, EqualsPlainLoopsFromGivenStartsAndOrders) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Sample sample = disputed(40, 12, seed);
    const MpcKmeansOptions options{.n_clusters = 4, .penalty = 0.1 * static_cast<double>(seed)};
    RandomStream random(seed, 2);
    const std::vector<double> start = rows_as_centroids(sample.x, random.sample(40, 4));
    const std::vector<Index> order = random.sample(40, 40);
    const Clustering expected = NaiveMpc(sample, options).run(start, order);
    const ClusterGiven given{.start = ClusterStart{.centroids = start}, .order = order};
    expect_same(run(sample, options, given, kStorages[seed % 2 * 2]), expected);
  }
}

TEST(MpcKmeans, ObjectiveNeverRisesAndIsThatOfTheResult) {
  Index n_broken = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const Sample sample = disputed(50, static_cast<Index>(seed % 5) * 6, seed);
    const MpcKmeansOptions options{.n_clusters = 4,
                                   .penalty = std::pow(10.0, static_cast<double>(seed % 4) - 2.0),
                                   .restarts = 2};
    const Clustering result = run(sample, options);
    for (std::size_t t = 1; t < result.iterations.size(); ++t)
      EXPECT_LE(result.iterations[t].objective,
                result.iterations[t - 1].objective +
                    1e-10 * (1.0 + std::abs(result.iterations[t - 1].objective)));
    const double expected = NaiveMpc(sample, options).objective(result);
    EXPECT_NEAR(result.objective, expected, 1e-9 * (1.0 + std::abs(expected)));
    n_broken += result.iterations.back().must_link_violations;
  }
  EXPECT_GT(n_broken, 0);
}

TEST(MpcKmeans, ObjectiveNeverRisesOnLargeScalesEither) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Sample sample = disputed(50, 12, seed);
    for (Index i = 0; i < 50; ++i) sample.x(i, 2) *= 1e4;  // the floor is above the first weight
    const Clustering result = run(sample, {.n_clusters = 3});
    for (std::size_t t = 1; t < result.iterations.size(); ++t)
      EXPECT_LE(result.iterations[t].objective,
                result.iterations[t - 1].objective +
                    1e-10 * (1.0 + std::abs(result.iterations[t - 1].objective)));
  }
}

TEST(MpcKmeans, AHighPenaltyKeepsLabels) {
  const Sample sample = disputed(60, 12, 3);
  const Clustering result = run(sample, {.penalty = 1e4});
  EXPECT_EQ(result.iterations.back().must_link_violations, 0);
  EXPECT_EQ(result.iterations.back().cannot_link_violations, 0);
}

TEST(MpcKmeans, LearnsWhichColumnsAClusterIsNarrowIn) {
  Sample sample = blobs(150, 4, 4, 4);
  for (Index i = 0; i < 150; ++i) sample.x(i, 3) *= 8.0;
  const Clustering result = run(sample);
  for (Index h = 0; h < 3; ++h)
    for (Index r = 0; r < 3; ++r)
      EXPECT_GT(result.weights[h * 4 + r], 5.0 * result.weights[h * 4 + 3]);
}

TEST(MpcKmeans, StartsAtTheMeansOfMustLinkedRows) {
  Sample sample{.x = random_table(20, 2, 5), .labels = std::vector<Index>(20, kUnlabeled)};
  sample.labels[4] = 0;
  sample.labels[9] = 1;
  sample.pairs = PairConstraints{.must_link = {{0, 1}}, .cannot_link = {{2, 3}}};
  const StoredSample stored(sample);
  tamis::Run traced;
  std::vector<std::vector<double>> start;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "start")
      start = std::get<std::vector<std::vector<double>>>(event.fields[1].second);
  });
  mpc_kmeans(stored.problem(), {.n_clusters = 3, .restarts = 1}, {}, traced);
  ASSERT_EQ(start.size(), 3);
  for (Index r = 0; r < 2; ++r) {
    EXPECT_EQ(start[0][r], sample.x(4, r));
    EXPECT_EQ(start[1][r], sample.x(9, r));
    EXPECT_NEAR(start[2][r], (sample.x(0, r) + sample.x(1, r)) / 2.0, 1e-15);
  }
}

TEST(MpcKmeans, ChoosesLargeAndDistantGroupsToStart) {
  Dense x(9, 1);
  x.values = {0.0, 0.0, 0.0, 1.0, 1.0, 5.0, 5.0, 3.0, 3.0};
  Sample sample{.x = x,
                .pairs = PairConstraints{.must_link = {{3, 4}, {0, 1}, {1, 2}, {5, 6}, {7, 8}},
                                         .cannot_link = {}}};
  const StoredSample stored(sample);
  tamis::Run traced;
  std::vector<std::vector<double>> start;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "start")
      start = std::get<std::vector<std::vector<double>>>(event.fields[1].second);
  });
  mpc_kmeans(stored.problem(), {.n_clusters = 3, .restarts = 1}, {}, traced);
  EXPECT_EQ(start, (std::vector<std::vector<double>>{{0.0}, {5.0}, {3.0}}));
}

TEST(MpcKmeans, RestartsBeginElsewhereAndTellTheirOrders) {
  const Sample sample = disputed(60, 0, 6);
  const StoredSample stored(sample);
  std::vector<double> objectives;
  std::vector<std::vector<Index>> orders;
  tamis::Run traced;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "order")
      orders.push_back(std::get<std::vector<Index>>(event.fields[2].second));
  });
  for (const Index restarts : {1, 3, 20})
    objectives.push_back(
        mpc_kmeans(stored.problem(), {.n_clusters = 3, .restarts = restarts}, {}, traced)
            .objective);
  EXPECT_GE(objectives[0], objectives[1]);
  EXPECT_GT(objectives[0], objectives[2]);
  ASSERT_EQ(orders.size(), 2 + 19);  // the first restart takes rows as they come
  EXPECT_NE(orders[2], orders[3]);
  EXPECT_EQ(orders[0], orders[2]);
}

TEST(MpcKmeans, ARestartCanBeRepeatedFromItsTrace) {
  using Lines = std::vector<std::vector<double>>;
  const auto joined = [](const Lines& lines) {
    std::vector<double> values;
    for (const auto& line : lines) values.insert(values.end(), line.begin(), line.end());
    return values;
  };
  const Sample sample = disputed(60, 0, 6);
  const StoredSample stored(sample);
  ClusterGiven given;
  tamis::Run traced;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "order") given.order = std::get<std::vector<Index>>(event.fields[2].second);
    if (event.name == "start")
      given.start = {.centroids = joined(std::get<Lines>(event.fields[1].second)),
                     .weights = joined(std::get<Lines>(event.fields[2].second))};
  });
  for (Index restarts = 2; restarts <= 10; ++restarts) {
    const Clustering found =
        mpc_kmeans(stored.problem(), {.n_clusters = 3, .restarts = restarts}, {}, traced);
    if (found.run != restarts - 1) continue;  // the trace ends with the last restart
    EXPECT_EQ(run(sample, {.n_clusters = 3}, given).clusters, found.clusters);
    return;
  }
  FAIL() << "no restart after the first was the best";
}

TEST(MpcKmeans, GivesConstantColumnsAndEmptyClustersNoSay) {
  const Sample sample = with_constant_column(blobs(40, 3, 2, 6), 1, 0.1);
  const ClusterStart start{.centroids = {0, 0.1, 0, 1, 0.1, 1, 0, 0.1, 1, 900, 0.1, 900},
                           .weights = {2, 7, 2}};
  const Clustering result = run(sample, {.n_clusters = 4}, {.start = start});
  for (Index h = 0; h < 4; ++h) EXPECT_EQ(result.weights[h * 3 + 1], 1.0);
  EXPECT_EQ(std::ranges::count(result.clusters, 3), 0);
  EXPECT_EQ(result.centroids[9], 900.0);
  EXPECT_EQ(result.weights[9], 2.0);
}

TEST(MpcKmeans, FloorsTheVarianceOfEqualRows) {
  Sample sample{.x = random_table(30, 2, 7)};
  for (Index i = 0; i < 10; ++i) sample.x(i, 0) = sample.x(i, 1) = 50.0;
  const Clustering result = run(sample, {.n_clusters = 2});
  for (const double weight : result.weights) EXPECT_TRUE(std::isfinite(weight));
  EXPECT_TRUE(std::isfinite(result.objective));
}

TEST(MpcKmeans, GivesTheSameBitsForAnyNumberOfThreads) {
  const Sample sample = blobs_with_pairs(700, 30, 3, 8);
  for (const Storage storage : kStorages) {
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 5, .restarts = 2}, {}, storage);
    };
    expect_same_bits(with_threads(1), with_threads(3));
  }
}

TEST(MpcKmeans, RefusesWhatCannotBe) {
  const Sample sample = blobs(12, 2, 2, 9);
  EXPECT_THROW(run(sample, {.n_clusters = 2}), DataError);
  EXPECT_THROW(run(sample, {.n_clusters = 13}), DataError);
  EXPECT_THROW(run(sample, {.penalty = -1.0}), InvalidArgument);
  EXPECT_THROW(run(sample, {.variance_floor = 0.0}), InvalidArgument);
  EXPECT_EQ(message_of<DataError>([&] {
              run(sample, {},
                  {.start = ClusterStart{.centroids = {1, 2, 3, 4, 5, 6}, .weights = {0, 1}}});
            }),
            "mpc_kmeans: a weight of the start is 0, but its logarithm counts; give positive "
            "weights");
  EXPECT_EQ(message_of<DataError>([&] { run(blobs(9, 2, 3, 9), {.n_clusters = 5}); }),
            "mpc_kmeans: the 2 clusters beyond the 3 groups of must-linked rows begin at as many "
            "rows without a must-link, and there are 0");
}

}  // namespace
}  // namespace tamis::test
