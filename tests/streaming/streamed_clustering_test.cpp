#include "streaming/streamed_clustering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "clustering/links.hpp"
#include "streaming/row_places.hpp"
#include "streaming/streamed_ranking.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/methods.hpp"

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

const std::vector<std::string> kWeighted{"wckm", "l2gfs"};

/// Labels, pairs among them and apart from them, and a row in two of these.
Sample few_links() {
  Sample sample = few_labels();
  sample.pairs = PairConstraints{.must_link = {{1, 2}, {3, 50}}, .cannot_link = {{4, 2}, {9, 10}}};
  return sample;
}

void expect_near_weights(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t s = 0; s < found.size(); ++s) EXPECT_NEAR(found[s], expected[s], 1e-8);
}

TEST(StreamedWeights, FromAGivenStartAreWhatTheyAreInMemory) {
  for (const Storage storage : kStorages) {
    const StoredSample stored(few_links(), storage);
    const Problem& problem = stored.problem();
    if (problem.matrix.is_single()) continue;  // memberships of these are not as exact in memory
    const ClusterGiven given{.start = start_for(problem, 4)};
    for (const std::string& name : kWeighted) {
      SCOPED_TRACE(name + ", " + std::string(name_of(storage)));
      const OptionTexts texts{{"n_clusters", "4"}};
      const auto conversation = streamed_clustering(name, texts, streamed(problem), given);
      const Clustering found = converse(*conversation, problem.matrix, 5, /*seed=*/3);
      const Clustering expected = find_clustering(name).run(problem, texts, given, {}).clustering;
      expect_near_in_memory(found, expected, problem);
      expect_near_weights(found.weights, expected.weights);
      EXPECT_TRUE(found.memberships.empty());
      EXPECT_GT(found.iterations.size(), 3);
    }
  }
}

TEST(StreamedWeights, PlaceRowsOfSinglePrecisionWhereTheyAreInMemory) {
  const StoredSample stored(few_links(), Storage::dense_float);
  const Problem& problem = stored.problem();
  const ClusterGiven given{.start = start_for(problem, 3)};
  for (const std::string& name : kWeighted) {
    const auto conversation =
        streamed_clustering(name, {{"n_clusters", "3"}}, streamed(problem), given);
    const Clustering found = converse(*conversation, problem.matrix, 2, 0);
    const Clustering expected =
        find_clustering(name).run(problem, {{"n_clusters", "3"}}, given, {}).clustering;
    EXPECT_EQ(found.clusters, expected.clusters);
    for (std::size_t s = 0; s < found.weights.size(); ++s)
      EXPECT_NEAR(found.weights[s], expected.weights[s], 1e-4);
  }
}

TEST(StreamedWeights, DrawAsInMemoryIfAllRowsAreInTheSample) {
  for (const bool has_links : {true, false}) {
    Sample sample = few_links();
    if (!has_links) sample = Sample{.x = sample.x};
    const StoredSample stored(sample);
    const Problem& problem = stored.problem();
    for (const std::string& name : kWeighted)
      for (const OptionTexts& texts :
           {OptionTexts{{"n_clusters", "3"}, {"restarts", "1"}},  // more may find the same optimum
            OptionTexts{
                {"n_clusters", "5"}, {"restarts", "2"}, {"beta", "3"}, {"max_iter", "6"}}}) {
        SCOPED_TRACE(name + (has_links ? "" : ", no links") + ", " + texts.at("n_clusters"));
        const auto conversation =
            streamed_clustering(name, texts, streamed(problem), {}, /*seed=*/11);
        expect_near_in_memory(
            converse(*conversation, problem.matrix, 4, /*seed=*/2),
            find_clustering(name).run(problem, texts, {}, {.seed = 11}).clustering, problem);
      }
  }
}

TEST(StreamedWeights, HeedTheOrderOfRowsAndHardMemberships) {
  const StoredSample stored(few_links());
  const Problem& problem = stored.problem();
  ClusterGiven given{.start = start_for(problem, 3), .order = all_indices(kRows)};
  std::ranges::reverse(given.order);
  for (const auto& [name, texts] :
       {std::pair{"l2gfs", OptionTexts{{"n_clusters", "3"}}},
        std::pair{"wckm", OptionTexts{{"n_clusters", "3"}, {"membership", "hard"}}},
        std::pair{"wckm", OptionTexts{{"n_clusters", "3"}, {"weights", "fixed"}}},
        std::pair{"wckm", OptionTexts{{"n_clusters", "3"}, {"penalty", "100"}}}}) {
    const auto conversation = streamed_clustering(name, texts, streamed(problem), given);
    expect_near_in_memory(converse(*conversation, problem.matrix, 3, 1),
                          find_clustering(name).run(problem, texts, given, {}).clustering, problem);
  }
}

TEST(StreamedWeights, HaveTheSameBitsHoweverRowsAreSplit) {
  const StoredSample stored(blobs(9000, kCols, 20, 5));
  const Problem& problem = stored.problem();
  for (const std::string& name : kWeighted) {
    const auto clustering = [&](Index pieces, std::uint64_t seed) {
      const auto conversation = streamed_clustering(
          name, {{"n_clusters", "4"}, {"restarts", "3"}, {"max_iter", "7"}}, streamed(problem), {},
          /*seed=*/4);
      return converse(*conversation, problem.matrix, pieces, seed);
    };
    const Clustering whole = clustering(1, 0);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Clustering split = clustering(6, seed);
      EXPECT_EQ(split.clusters, whole.clusters);
      EXPECT_EQ(split.centroids, whole.centroids);
      EXPECT_EQ(split.weights, whole.weights);
      EXPECT_EQ(split.objective, whole.objective);
    }
  }
}

TEST(StreamedWeights, TakeAStartFarFromTheRows) {
  const StoredSample stored(few_labels());
  const Problem& problem = stored.problem();
  ClusterGiven given{.start = start_for(problem, 3)};
  for (Index r = 0; r < kCols; ++r) given.start->centroids[r] -= 100.0;
  for (const std::string& name : kWeighted) {
    SCOPED_TRACE(name);
    const OptionTexts texts{{"n_clusters", "3"}};
    const auto conversation = streamed_clustering(name, texts, streamed(problem), given);
    expect_near_in_memory(converse(*conversation, problem.matrix, 3, 1),
                          find_clustering(name).run(problem, texts, given, {}).clustering, problem);
  }
}

/// A column that takes one value in each cluster has no dispersion there, whatever is rounded.
TEST(StreamedWeights, SeeColumnsThatAreConstantInClusters) {
  Sample sample = blobs(300, 4, 0, 9);
  for (Index i = 0; i < 300; ++i) sample.x(i, 2) = i < 100 ? 0.1 : i < 200 ? 1e6 / 3 : 7e6 / 3;
  const StoredSample stored(sample);
  const Problem& problem = stored.problem();
  const OptionTexts texts{{"n_clusters", "3"}, {"restarts", "3"}};
  const auto conversation = streamed_ranking({.method = &find_method("l2gfs"), .options = texts},
                                             streamed(problem), /*seed=*/2);
  const Ranking found = converse(*conversation, problem.matrix, 3, 1);
  const Ranking expected = find_method("l2gfs").rank(problem, texts, {.seed = 2});
  EXPECT_EQ(found.order, expected.order);
  EXPECT_EQ(found.scores[2], HUGE_VAL);
}

TEST(StreamedWeights, RankAsInMemory) {
  const StoredSample stored(few_links());
  const Problem& problem = stored.problem();
  for (const std::string& name : kWeighted) {
    const OptionTexts texts{{"restarts", "3"}};
    const auto conversation = streamed_ranking({.method = &find_method(name), .options = texts},
                                               streamed(problem), /*seed=*/5);
    const Ranking found = converse(*conversation, problem.matrix, 3, 1);
    const Ranking expected = find_method(name).rank(problem, texts, {.seed = 5});
    EXPECT_EQ(found.order, expected.order);
    EXPECT_EQ(found.diagnostics.warnings, expected.diagnostics.warnings);
    EXPECT_EQ(found.diagnostics.iterations, expected.diagnostics.iterations);
    ASSERT_EQ(found.diagnostics.figures.size(), expected.diagnostics.figures.size());
    for (std::size_t f = 0; f < found.diagnostics.figures.size(); ++f) {
      EXPECT_EQ(found.diagnostics.figures[f].first, expected.diagnostics.figures[f].first);
      if (found.diagnostics.figures[f].first == "best_run") continue;  // of equally good ones
      EXPECT_NEAR(found.diagnostics.figures[f].second, expected.diagnostics.figures[f].second,
                  1e-7 * std::abs(expected.diagnostics.figures[f].second));
    }
    for (std::size_t r = 0; r < found.scores.size(); ++r)
      if (std::isnan(expected.scores[r]))
        EXPECT_TRUE(std::isnan(found.scores[r]));
      else
        EXPECT_NEAR(found.scores[r], expected.scores[r], 1e-8);
  }
}

TEST(StreamedWeights, RefuseToRankConstantColumns) {
  const StoredSample stored(Sample{.x = Dense(20, 2)});
  const auto conversation =
      streamed_ranking({.method = &find_method("wckm"), .options = {{"n_clusters", "2"}}},
                       streamed(stored.problem()), 0);
  EXPECT_EQ(message_of<DataError>([&] { converse(*conversation, stored.problem().matrix, 2, 1); }),
            "wckm: every column of the table is constant, so there is nothing to rank");
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
    EXPECT_EQ(conversation->map()->n_units(), expected.map->n_units());
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
    EXPECT_EQ(places.only(1).of_set(0), places.of_set(1));
    ByteReader of_fewer(bytes);
    EXPECT_THROW(RowPlaces(2, 2, of_fewer), DataError);
  }
}

}  // namespace
}  // namespace tamis
