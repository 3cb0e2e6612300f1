#include "clustering/kmeans/cop_kmeans.hpp"

#include <algorithm>
#include <set>

#include "clustering/kmeans/kmeans.hpp"
#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Clustering run(const Sample& sample, const CopKmeansOptions& options = {},
               const ClusterGiven& given = {}, Storage storage = Storage::dense_double) {
  const StoredSample stored(sample, storage);
  return cop_kmeans(stored.problem(), options, given);
}

/// Pairs that a hidden partition of the rows into `n_parts` keeps.
Sample random_pairs(Index rows, Index n_parts, Index n_pairs, std::uint64_t seed) {
  Sample sample{.x = random_table(rows, 3, seed), .pairs = PairConstraints{}};
  RandomStream random(seed, 7);
  std::vector<Index> part(rows);
  for (Index& p : part) p = random.below(n_parts);
  for (Index count = 0; count < n_pairs; ++count) {
    const std::vector<Index> ends = random.sample(rows, 2);
    (part[ends[0]] == part[ends[1]] ? sample.pairs->must_link : sample.pairs->cannot_link)
        .push_back({ends[0], ends[1]});
  }
  return sample;
}

/// Wagstaff's procedure row by row; empty if it fails.
std::optional<Clustering> naive_cop(const Sample& sample, const std::vector<double>& start,
                                    const std::vector<Index>& order) {
  const NaiveLinks links(sample);
  const Dense& x = sample.x;
  bool failed = false;
  Clustering result = naive_lloyd(
      x, start, 100, [&](std::vector<Index>& clusters, const std::vector<double>& centroids) {
        const std::vector<Index> before = clusters;
        std::ranges::fill(clusters, -1);
        for (const Index i : order) {
          clusters[i] = naive_nearest(x, i, centroids, [&](Index q) {
            for (Index r = 0; r < x.rows; ++r) {
              if (r == i || clusters[r] == -1) continue;
              if (links.must(i, r) == 1.0 && clusters[r] != q) return false;
              if (links.cannot(i, r) == 1.0 && clusters[r] == q) return false;
            }
            return true;
          });
          failed = failed || clusters[i] == -1;
        }
        if (failed) clusters = std::vector<Index>(x.rows, 0);
      });
  return failed ? std::nullopt : std::optional(result);
}

TEST(CopKmeans, EqualsPlainLoopsFromGivenStartsAndOrders) {
  Index n_failures = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Sample sample = random_pairs(40, 4, 25, seed);
    RandomStream random(seed, 1);
    const std::vector<double> start = rows_as_centroids(sample.x, random.sample(40, 4));
    const std::vector<Index> order = random.sample(40, 40);
    const ClusterGiven given{.start = ClusterStart{.centroids = start}, .order = order};
    const auto expected = naive_cop(sample, start, order);
    if (expected) {
      expect_same(
          run(sample, {.n_clusters = 4, .order = PlacingOrder::rows}, given, kStorages[seed % 4]),
          *expected);
    } else {
      EXPECT_THROW(run(sample, {.n_clusters = 4, .order = PlacingOrder::rows}, given),
                   ComputationError);
      ++n_failures;
    }
  }
  EXPECT_GT(n_failures, 0);
  EXPECT_LT(n_failures, 40);
}

TEST(CopKmeans, KeepsEveryConstraintThatCanBeKept) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const Index parts = 3 + static_cast<Index>(seed % 3);
    const Sample sample = random_pairs(60, parts, 20 + 3 * static_cast<Index>(seed), seed);
    const Clustering result = run(sample, {.n_clusters = parts, .restarts = 3});
    const NaiveViolations broken = naive_violations(NaiveLinks(sample), result.clusters);
    EXPECT_EQ(broken.must_link + broken.cannot_link, 0);
    for (const ClusterIteration& iteration : result.iterations)
      EXPECT_EQ(iteration.must_link_violations + iteration.cannot_link_violations, 0);
  }
}

TEST(CopKmeans, KeepsLabelsApartAndTogether) {
  Sample sample{.x = random_table(90, 3, 3), .labels = std::vector<Index>(90, kUnlabeled)};
  for (Index i = 0; i < 30; ++i) sample.labels[i] = i % 3;
  const Clustering result = run(sample);
  for (Index i = 3; i < 30; ++i) EXPECT_EQ(result.clusters[i], result.clusters[i % 3]);
  EXPECT_EQ((std::set<Index>(result.clusters.begin(), result.clusters.begin() + 3)).size(), 3);
}

/// Three clusters at 0, 10 and 20; row 3 cannot be with rows 0, 1 and 2, which a wise order leaves
/// in two clusters, while row by row they take all three. Rows 0 and 1 are parted too.
Sample trap() {
  Dense x(4, 1);
  x.values = {0.0, 10.0, 20.0, 21.0};
  return {.x = x, .pairs = PairConstraints{.cannot_link = {{0, 1}, {0, 3}, {1, 3}, {2, 3}}}};
}
const ClusterStart kTrapStart{.centroids = {0.0, 10.0, 20.0}};
const CopKmeansOptions kInOrder{.n_clusters = 3, .order = PlacingOrder::rows};

TEST(CopKmeans, DependsOnTheOrderInWhichRowsArePlaced) {
  EXPECT_EQ(message_of<ComputationError>([] { run(trap(), kInOrder, {.start = kTrapStart}); }),
            "cop_kmeans: no cluster is left for row 3: each of the 3 holds a row that it cannot be "
            "with; another order of the rows may leave one (order = shuffle), or more clusters");
  const Clustering result = run(trap(), kInOrder, {.start = kTrapStart, .order = {3, 0, 1, 2}});
  EXPECT_EQ(result.clusters, (std::vector<Index>{0, 1, 1, 2}));
}

TEST(CopKmeans, FindsAnOrderByShuffling) {
  const Sample sample = trap();
  const CopKmeansOptions shuffled{.n_clusters = 3};
  for (const std::vector<Index>& first : {std::vector<Index>{}, {0, 1, 2, 3}}) {
    const Clustering result = run(sample, shuffled, {.start = kTrapStart, .order = first});
    for (const RowPair& pair : sample.pairs->cannot_link)
      EXPECT_NE(result.clusters[pair.first], result.clusters[pair.second]);
  }
}

TEST(CopKmeans, TellsTheOrdersThatChanceMade) {
  const StoredSample stored(trap());
  tamis::Run traced;
  std::vector<std::vector<Index>> orders;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "order")
      orders.push_back(std::get<std::vector<Index>>(event.fields[2].second));
  });
  const CopKmeansOptions shuffled{.n_clusters = 3};
  const Clustering result = cop_kmeans(stored.problem(), shuffled, {.start = kTrapStart}, traced);
  ASSERT_FALSE(orders.empty());
  const ClusterGiven again{.start = kTrapStart, .order = orders.back()};
  EXPECT_EQ(run(trap(), kInOrder, again).clusters, result.clusters);
}

TEST(CopKmeans, TriesTheRowThatFoundNoClusterFirst) {
  const StoredSample stored(trap());
  tamis::Run traced;
  std::vector<std::vector<Index>> orders;
  traced.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "order")
      orders.push_back(std::get<std::vector<Index>>(event.fields[2].second));
  });
  const ClusterGiven given{.start = kTrapStart, .order = {0, 1, 2, 3}};
  cop_kmeans(stored.problem(), {.n_clusters = 3}, given, traced);
  EXPECT_EQ(orders, (std::vector<std::vector<Index>>{{0, 1, 2, 3}, {3, 0, 1, 2}}));
}

TEST(CopKmeans, GivesUpAfterTheTriesItIsAllowed) {
  Sample sample{.x = random_table(6, 2, 4), .pairs = PairConstraints{}};
  for (const RowPair pair : {RowPair{0, 1}, {0, 2}, {1, 2}})  // three rows for two clusters
    sample.pairs->cannot_link.push_back(pair);
  const std::string message = message_of<ComputationError>(
      [&] { run(sample, {.n_clusters = 2, .tries = 5, .restarts = 3}); });
  EXPECT_EQ(message.substr(0, message.find(';')),
            "cop_kmeans: none of 15 orders leaves a cluster for each row");
  EXPECT_THROW(run(sample, {.n_clusters = 2}), ComputationError);
}

TEST(CopKmeans, LeavesOutRestartsThatFailAndSaysHowMany) {
  bool is_seen = false;
  for (std::uint64_t seed = 1; seed <= 30 && !is_seen; ++seed) try {
      const Clustering result =
          run(random_pairs(30, 4, 25, seed), {.n_clusters = 4, .order = PlacingOrder::rows});
      for (const std::string& warning : result.warnings)
        is_seen = is_seen || warning.ends_with(
                                 " of 10 restarts, in which no cluster was left for a row; other "
                                 "orders may do better (order = shuffle)");
    } catch (const ComputationError&) {
    }
  EXPECT_TRUE(is_seen);
}

TEST(CopKmeans, IsKmeansWithoutConstraints) {
  const Sample sample{.x = random_table(100, 3, 5)};
  const StoredSample stored(sample);
  expect_same_bits(run(sample, {.n_clusters = 4}),
                   kmeans(stored.problem(), {.n_clusters = 4, .start = KmeansStart::random}));
}

TEST(CopKmeans, GivesTheSameBitsForAnyNumberOfThreads) {
  const Sample sample = blobs_with_pairs(700, 30, 3, 6);
  for (const Storage storage : kStorages) {
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return run(sample, {.n_clusters = 5, .restarts = 2}, {}, storage);
    };
    expect_same_bits(with_threads(1), with_threads(3));
  }
}

TEST(CopKmeans, RefusesWhatCannotBe) {
  const Sample sample = blobs(12, 2, 2, 7);
  EXPECT_THROW(run(sample, {.n_clusters = 2}), DataError);
  EXPECT_THROW(run(sample, {.n_clusters = 13}), DataError);
  EXPECT_THROW(run(sample, {.tries = 0}), InvalidArgument);
  EXPECT_THROW(run(sample, {}, {.start = ClusterStart{.centroids = {1.0}}}), DataError);
  EXPECT_THROW(run(sample, {}, {.order = {0, 1}}), DataError);
}

}  // namespace
}  // namespace tamis::test
