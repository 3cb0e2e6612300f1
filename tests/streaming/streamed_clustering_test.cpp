#include "streaming/streamed_clustering.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "clustering/links.hpp"
#include "streaming/row_places.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/clusterings.hpp"

namespace tamis {
namespace {

using namespace test;

constexpr Index kRows = 400;
constexpr Index kCols = 5;

/// Three classes of which few rows are known, a constant column, one far from 0, and some pairs.
Sample few_labels() {
  Sample sample = blobs(kRows, kCols, /*per_class=*/kRows, 1);
  for (Index i = 0; i < kRows; ++i) {
    if (i % 25 != 0) sample.labels[i] = kUnlabeled;
    sample.x(i, 3) = 0.1;
    sample.x(i, 4) = 1e5 + sample.x(i, 4);
  }
  return sample;
}

ClusterStart start_for(const Problem& problem, Index n_clusters) {
  ClusterStart start{.centroids = std::vector<double>(n_clusters * problem.cols())};
  std::vector<Index> rows;
  for (Index q = 0; q < n_clusters; ++q) rows.push_back(7 * q + 1);
  copy_columns(problem.matrix, rows, 0, problem.cols(), start.centroids.data());
  return start;
}

void expect_near_in_memory(const Clustering& found, const Clustering& expected,
                           const Problem& problem) {
  EXPECT_EQ(found.clusters, expected.clusters);
  EXPECT_EQ(found.run, expected.run);
  EXPECT_EQ(found.converged, expected.converged);
  EXPECT_EQ(found.warnings, expected.warnings);
  EXPECT_NEAR(found.objective, expected.objective, 1e-9 * expected.objective);
  ASSERT_EQ(found.iterations.size(), expected.iterations.size());
  for (std::size_t i = 0; i < found.iterations.size(); ++i) {
    EXPECT_EQ(found.iterations[i].changed, expected.iterations[i].changed);
    EXPECT_EQ(found.iterations[i].must_link_violations,
              expected.iterations[i].must_link_violations);
    EXPECT_EQ(found.iterations[i].cannot_link_violations,
              expected.iterations[i].cannot_link_violations);
    EXPECT_NEAR(found.iterations[i].objective, expected.iterations[i].objective,
                1e-9 * expected.objective);
  }
  ASSERT_EQ(found.centroids.size(), expected.centroids.size());
  for (Index r = 0; r < problem.cols(); ++r) {
    std::vector<double> column(static_cast<std::size_t>(problem.rows()));
    copy_columns(problem.matrix, all_indices(problem.rows()), r, 1, column.data());
    const auto [least, largest] = std::ranges::minmax(column);
    for (Index e = r; e < std::ssize(found.centroids); e += problem.cols())
      EXPECT_NEAR(found.centroids[e], expected.centroids[e],
                  1e-9 * (largest - least) + 1e-13 * std::abs(largest));
  }
}

const std::vector<std::string> kFamily{"kmeans", "seeded_kmeans", "constrained_kmeans"};

TEST(StreamedClustering, EveryClusteringThatStreamsHasAConversation) {
  const StoredSample stored(few_labels());
  for (const ClusteringMethod& method : clusterings()) {
    const auto begin = [&] {
      streamed_clustering(method.info.name, {}, streamed(stored.problem()), {});
    };
    if (method.info.streams)
      EXPECT_NO_THROW(begin()) << method.info.name;
    else
      EXPECT_EQ(message_of<InvalidArgument>(begin),
                std::string(method.info.name) + " looks at all rows at once");
  }
}

TEST(StreamedKmeans, FromAGivenStartIsWhatItIsInMemory) {
  for (const Storage storage : kStorages) {
    const StoredSample stored(few_labels(), storage);
    const Problem& problem = stored.problem();
    const ClusterGiven given{.start = start_for(problem, 4)};
    for (const std::string& name : kFamily) {
      SCOPED_TRACE(name + ", " + std::string(name_of(storage)));
      const OptionTexts texts{{"n_clusters", "4"}};
      const auto conversation = streamed_clustering(name, texts, streamed(problem), given);
      expect_near_in_memory(converse(*conversation, problem.matrix, 5, /*seed=*/3),
                            find_clustering(name).run(problem, texts, given, {}).clustering,
                            problem);
    }
  }
}

TEST(StreamedKmeans, DrawsAsInMemoryIfAllRowsAreInTheSample) {
  Sample sample = few_labels();
  sample.pairs = PairConstraints{.must_link = {{1, 2}, {3, 50}}, .cannot_link = {{4, 2}, {9, 10}}};
  const StoredSample stored(sample);
  const Problem& problem = stored.problem();
  for (const std::string& name : kFamily)
    for (const char* const clusters : {"3", "6"}) {
      SCOPED_TRACE(name + ", " + clusters);
      const OptionTexts texts{{"n_clusters", clusters}, {"restarts", "3"}};
      const auto conversation =
          streamed_clustering(name, texts, streamed(problem), {}, /*seed=*/11);
      expect_near_in_memory(converse(*conversation, problem.matrix, 4, /*seed=*/2),
                            find_clustering(name).run(problem, texts, {}, {.seed = 11}).clustering,
                            problem);
    }
}

TEST(StreamedKmeans, EndsAfterTheMostIterations) {
  const StoredSample stored(few_labels());
  const auto conversation = streamed_clustering("kmeans", {{"n_clusters", "5"}, {"max_iter", "1"}},
                                                streamed(stored.problem()), {});
  const Clustering found = converse(*conversation, stored.problem().matrix, 1, 0);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations.size(), 2);
}

TEST(StreamedKmeans, HasTheSameBitsHoweverRowsAreSplit) {
  const StoredSample stored(blobs(2500, kCols, 20, 5));
  const Problem& problem = stored.problem();
  for (const std::string& name : kFamily) {
    const auto clustering = [&](Index pieces, std::uint64_t seed) {
      const auto conversation = streamed_clustering(name, {{"n_clusters", "7"}, {"restarts", "3"}},
                                                    streamed(problem), {}, /*seed=*/4);
      return converse(*conversation, problem.matrix, pieces, seed);
    };
    const Clustering whole = clustering(1, 0);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Clustering split = clustering(6, seed);
      EXPECT_EQ(split.clusters, whole.clusters);
      EXPECT_EQ(split.centroids, whole.centroids);
      EXPECT_EQ(split.objective, whole.objective);
    }
  }
}

TEST(StreamedKmeans, TakesAStartFarFromTheRows) {
  const StoredSample stored(few_labels());
  const Problem& problem = stored.problem();
  ClusterGiven given{.start = start_for(problem, 3)};
  for (Index r = 0; r < kCols; ++r) given.start->centroids[r] = -1e9;  // stays empty
  const OptionTexts texts{{"n_clusters", "3"}};
  const auto conversation = streamed_clustering("kmeans", texts, streamed(problem), given);
  expect_near_in_memory(converse(*conversation, problem.matrix, 3, 1),
                        find_clustering("kmeans").run(problem, texts, given, {}).clustering,
                        problem);
}

TEST(StreamedSom, IsTheMapOfInMemoryIfAllRowsAreInTheSample) {
  const StoredSample stored(few_labels());
  const Problem& problem = stored.problem();
  std::vector<Index> unlabeled = all_indices(kRows);
  std::erase_if(unlabeled, [&](Index row) { return problem.known.labels[row] != kUnlabeled; });
  for (const ClusterGiven& given : {ClusterGiven{}, ClusterGiven{.rows = unlabeled}}) {
    const OptionTexts texts{{"units", "20"}};
    const auto conversation = streamed_clustering("som", texts, streamed(problem), given);
    const Clustering found = converse(*conversation, problem.matrix, 4, 1);
    const ClusteringRun expected = find_clustering("som").run(problem, texts, given, {});
    EXPECT_EQ(found.clusters, expected.clustering.clusters);
    ASSERT_EQ(found.centroids.size(), expected.clustering.centroids.size());
    for (std::size_t e = 0; e < found.centroids.size(); ++e)
      EXPECT_NEAR(found.centroids[e], expected.clustering.centroids[e], 1e-6);
    EXPECT_EQ(conversation->map()->best_units, found.clusters);
  }
}

TEST(RowPlaces, HoldsNumbersOfAnySize) {
  for (const Index n_centers : {3, 255, 256, 70'000}) {
    RowPlaces places(n_centers, 2);
    places.add(2, {{0, n_centers - 1}, {kNoCluster, 1}});
    places.add(0, {{1, 2}, {0, 0}});
    EXPECT_EQ(places.of_set(0), (std::vector<Index>{1, 2, 0, n_centers - 1}));
    EXPECT_EQ(places.of_set(1), (std::vector<Index>{0, 0, kNoCluster, 1}));
    ByteWriter writer;
    places.write(writer);
    const Bytes bytes = writer.take();
    ByteReader reader(bytes);
    EXPECT_EQ(RowPlaces(n_centers, 2, reader).of_set(0), places.of_set(0));
    ByteReader of_fewer(bytes);
    EXPECT_THROW(RowPlaces(2, 2, of_fewer), DataError);
  }
}

}  // namespace
}  // namespace tamis
