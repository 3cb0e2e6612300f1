#include "tamis/registry/clusterings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "clustering/som/som.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/l2gfs.hpp"

namespace tamis {
namespace {

constexpr Index kRows = 30;
constexpr Index kCols = 5;
constexpr Index kClusters = 3;

test::StoredSample blobs() { return test::StoredSample(test::blobs(kRows, kCols, 3, /*seed=*/1)); }

TEST(Clusterings, SaySomethingAboutThemselvesAndTheirOptions) {
  std::set<std::string_view> names;
  for (const ClusteringMethod& method : clusterings()) {
    EXPECT_TRUE(names.insert(method.info.name).second) << method.info.name;
    EXPECT_FALSE(method.info.title.empty()) << method.info.name;
    EXPECT_FALSE(method.info.reference.empty()) << method.info.name;
    for (const OptionInfo& option : method.options)
      EXPECT_FALSE(option.help.empty()) << method.info.name << " " << option.name;
  }
}

TEST(Clusterings, CountClustersIfAnOptionSaysHowMany) {
  for (const ClusteringMethod& method : clusterings())
    EXPECT_EQ(std::ranges::count(method.options, "n_clusters", &OptionInfo::name),
              method.info.counts_clusters ? 1 : 0)
        << method.info.name;
}

TEST(Clusterings, RunWithTheirDefaultsAndHaveTheShapeThatTheySay) {
  const auto stored = blobs();
  for (const ClusteringMethod& method : clusterings()) {
    if (!method.info.counts_clusters) continue;
    SCOPED_TRACE(method.info.name);
    const ClusteringRun run = method.run(stored.problem(), {}, {}, {});
    EXPECT_EQ(std::ssize(run.clustering.clusters), kRows);
    EXPECT_EQ(std::ssize(run.clustering.centroids), kClusters * kCols);
    const Learns learns = method.info.learns;
    const Index weights = learns == Learns::nothing   ? 0
                          : learns == Learns::weights ? kCols
                                                      : kClusters * kCols;
    EXPECT_EQ(std::ssize(run.clustering.weights), weights);
    EXPECT_EQ(std::ssize(run.scores), weights);
    EXPECT_EQ(std::ssize(run.distance_weights), weights);
    EXPECT_EQ(run.map, nullptr);
  }
}

TEST(Clusterings, HaveTheUnitsOfAMapAsTheirCentroids) {
  const auto stored = blobs();
  const ClusteringRun run = find_clustering("som").run(stored.problem(), {{"units", "6"}}, {}, {});
  ASSERT_NE(run.map, nullptr);
  EXPECT_EQ(std::ssize(run.clustering.centroids), run.map->n_units() * kCols);
  EXPECT_LT(std::ranges::max(run.clustering.clusters), run.map->n_units());
  EXPECT_EQ(std::ssize(run.clustering.clusters), kRows);
}

TEST(Clusterings, ClusterSomeOfTheRowsOrRefuseTo) {
  const auto stored = blobs();
  const ClusterGiven given{.rows = std::vector<Index>{1, 2, 3, 5, 8, 13}};
  for (const ClusteringMethod& method : clusterings())
    if (method.info.takes_rows)
      EXPECT_EQ(method.run(stored.problem(), {}, given, {}).clustering.clusters.size(), 6U);
    else
      EXPECT_THROW(method.run(stored.problem(), {}, given, {}), DataError) << method.info.name;
}

TEST(Clusterings, BeginAtAStartOrRefuseTo) {
  const auto stored = blobs();
  std::vector<double> centroids(kClusters * kCols, 0.0);
  for (Index e = 0; e < std::ssize(centroids); ++e) centroids[e] = static_cast<double>(e);
  const ClusterGiven given{.start = ClusterStart{.centroids = centroids}};
  for (const ClusteringMethod& method : clusterings())
    if (method.info.takes_start)
      EXPECT_NO_THROW(method.run(stored.problem(), {}, given, {})) << method.info.name;
    else
      EXPECT_THROW(method.run(stored.problem(), {}, given, {}), DataError) << method.info.name;
}

TEST(Clusterings, AcceptTheTextOfEveryDefault) {
  for (const ClusteringMethod& method : clusterings()) {
    OptionTexts texts;
    for (const auto& [name, value] : method.resolve({})) texts[name] = to_text(value);
    EXPECT_EQ(method.resolve(texts), method.resolve({})) << method.info.name;
    EXPECT_EQ(texts.size(), method.options.size()) << method.info.name;
  }
}

TEST(Clusterings, RankByWeightsUnlessTheOptionsSayOtherwise) {
  const auto stored = blobs();
  const ClusteringMethod& method = find_clustering("l2gfs");
  const ClusteringRun by_weight = method.run(stored.problem(), {{"beta", "-0.5"}}, {}, {});
  const ClusteringRun by_distance =
      method.run(stored.problem(), {{"beta", "-0.5"}, {"rank_by", "distance_weight"}}, {}, {});
  EXPECT_EQ(by_weight.scores, by_weight.clustering.weights);
  EXPECT_EQ(by_distance.scores, by_distance.distance_weights);
  for (std::size_t e = 0; e < by_weight.scores.size(); ++e)
    EXPECT_EQ(by_distance.scores[e], distance_weight(by_weight.scores[e], -0.5));
}

TEST(Clusterings, AddTheVolumeOfAMetricToItsDistances) {
  const auto stored = blobs();
  const ClusteringRun run = find_clustering("mpc_kmeans").run(stored.problem(), {}, {}, {});
  ASSERT_EQ(std::ssize(run.offsets), kClusters);
  double log_determinant = 0.0;
  for (Index column = 0; column < kCols; ++column)
    log_determinant += std::log(run.clustering.weights[kCols + column]);
  EXPECT_NEAR(run.offsets[1], -log_determinant, 1e-12 * std::abs(log_determinant));
  EXPECT_TRUE(find_clustering("kmeans").run(stored.problem(), {}, {}, {}).offsets.empty());
}

TEST(Clusterings, SayWhetherIterationsRanOut) {
  const auto stored = blobs();
  const ClusteringMethod& method = find_clustering("wckm");
  EXPECT_TRUE(method.run(stored.problem(), {{"max_iter", "1"}}, {}, {}).ran_out);
  EXPECT_FALSE(method.run(stored.problem(), {}, {}, {}).ran_out);
}

TEST(Clusterings, SuggestANearNameForAnUnknownOne) {
  EXPECT_EQ(message_of<InvalidArgument>([] { find_clustering("cop_means"); }),
            "there is no clustering 'cop_means'; did you mean 'cop_kmeans'?");
  EXPECT_THROW(find_clustering("kmeans").resolve({{"start", "best"}}), InvalidArgument);
}

TEST(Clusterings, CountWeightsOfPairsAsPenaltiesOrRefuseThem) {
  test::Sample sample = test::blobs(kRows, kCols, 2, /*seed=*/1);
  sample.pairs = PairConstraints{.must_link = {{0, 3, 2.0}}};
  const test::StoredSample stored(sample);
  for (const ClusteringMethod& method : clusterings()) {
    SCOPED_TRACE(method.info.name);
    const bool has_penalty =
        std::ranges::count(method.options, std::string("penalty"), &OptionInfo::name) == 1;
    if (!method.info.takes_constraints || method.info.name == "kmeans") continue;
    if (has_penalty)
      EXPECT_NO_THROW(method.run(stored.problem(), {}, {}, {}));
    else
      EXPECT_THROW(method.run(stored.problem(), {}, {}, {}), DataError);
  }
}

}  // namespace
}  // namespace tamis
