#include "tamis/clustering/clustering.hpp"

#include <cmath>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis::test {
namespace {

TEST(ClusterCount, IsWhatIsWanted) {
  const StoredSample stored(blobs(12, 2, 1, 1));
  std::vector<std::string> warnings;
  EXPECT_EQ(cluster_count("kind", stored.problem().known, stored.problem().rows(), 5, warnings), 5);
  EXPECT_TRUE(warnings.empty());
}

TEST(ClusterCount, IsTheNumberOfLabeledClassesAndWarnsThatSomeMayBeMissing) {
  const StoredSample stored(blobs(12, 2, 1, 1));
  std::vector<std::string> warnings;
  EXPECT_EQ(cluster_count("kind", stored.problem().known, stored.problem().rows(), std::nullopt,
                          warnings),
            3);
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "kind makes one cluster for each of the 3 labeled classes; set "
                          "n_clusters if there are classes without a label"});
}

TEST(ClusterCount, DoesNotWarnIfEveryRowIsLabeled) {
  const StoredSample stored(blobs(12, 2, 4, 1));
  std::vector<std::string> warnings;
  EXPECT_EQ(cluster_count("kind", stored.problem().known, stored.problem().rows(), std::nullopt,
                          warnings),
            3);
  EXPECT_TRUE(warnings.empty());
}

TEST(ClusterCount, IsThatOfScikitLearnWhereNothingTells) {
  for (const auto& [rows, expected] : {std::pair<Index, Index>{20, 8}, {3, 3}}) {
    const StoredSample unlabeled({.x = random_table(rows, 2, 1)});
    std::vector<std::string> warnings;
    EXPECT_EQ(cluster_count("kind", unlabeled.problem().known, unlabeled.problem().rows(),
                            std::nullopt, warnings),
              expected);
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "kind makes " + std::to_string(expected) +
                            " clusters, because no row has a label and nothing says how many there "
                            "are; set n_clusters"});
  }
}

TEST(ClusterCount, RefusesWhatCannotBe) {
  std::vector<std::string> warnings;
  const StoredSample labeled(blobs(12, 2, 1, 1));
  const StoredSample unlabeled({.x = random_table(3, 2, 1)});
  const auto message = [&](const Problem& problem, std::optional<Index> wanted) {
    return message_of<DataError>(
        [&] { cluster_count("kind", problem.known, problem.rows(), wanted, warnings); });
  };
  EXPECT_EQ(message(unlabeled.problem(), 4), "kind: 4 clusters need as many rows, and there are 3");
  EXPECT_EQ(message(labeled.problem(), 2),
            "kind: 2 clusters are fewer than the 3 labeled classes, so that rows of different "
            "classes would have to share a cluster; ask for at least 3 clusters (n_clusters) or "
            "give labels of fewer classes");
}

TEST(CheckStart, SaysWhichShapeFits) {
  const auto message = [](const ClusterStart& start) {
    return message_of<DataError>([&] { check_start("kind", start, 2, 3); });
  };
  const std::vector<double> six(6, 1.0);
  EXPECT_NO_THROW(check_start("kind", {.centroids = six}, 2, 3));
  EXPECT_NO_THROW(check_start("kind", {.centroids = six, .weights = {1, 2, 3}}, 2, 3));
  EXPECT_NO_THROW(check_start("kind", {.centroids = six, .weights = six}, 2, 3));
  EXPECT_EQ(message({.centroids = {1, 2, 3}}),
            "kind: the start has 3 values, but 2 centroids of 3 columns are 6; give a line for "
            "each cluster and in it a value for each column");
  EXPECT_EQ(message({.centroids = six, .weights = {1, 2}}),
            "kind: the start has 2 weights; there should be none, one for each of the 3 columns, "
            "or one for each cluster and column, 6");
  EXPECT_EQ(message({.centroids = {1, 2, 3, 4, 5, HUGE_VAL}}),
            "kind: a centroid of the start holds a value that is not finite");
  EXPECT_EQ(message({.centroids = six, .weights = {1, 2, -3}}),
            "kind: a weight of the start is negative or not finite");
}

TEST(CheckGiven, RefusesWeightsThatHaveNoUseAndOrdersThatMissRows) {
  constexpr ClustererInfo kPlain{.name = "kind", .title = "", .reference = ""};
  const StoredSample stored({.x = random_table(3, 1, 1)});
  const auto message = [&](const ClusterGiven& given) {
    return message_of<DataError>(
        [&] { check_given(kPlain, given, 2, stored.problem().rows(), stored.problem().cols()); });
  };
  EXPECT_NO_THROW(check_given(kPlain, {.order = {2, 0, 1}}, 2, stored.problem().rows(),
                              stored.problem().cols()));
  EXPECT_EQ(message({.start = ClusterStart{.centroids = {1, 2}, .weights = {1}}}),
            "kind has no weights of columns, but the start gives some");
  for (const std::vector<Index>& order :
       {std::vector<Index>{0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, -1}})
    EXPECT_EQ(message({.order = order}), "kind: the order should hold each of the 3 rows once");
}

TEST(CheckGiven, RefusesWhatTheClusteringHasNoUseFor) {
  constexpr ClustererInfo kMap{
      .name = "kind", .title = "", .reference = "", .takes_start = false, .takes_rows = true};
  constexpr ClustererInfo kPlain{.name = "kind", .title = "", .reference = ""};
  const StoredSample stored({.x = random_table(3, 1, 1)});
  const auto message = [&](const ClustererInfo& info, const ClusterGiven& given) {
    return message_of<DataError>(
        [&] { check_given(info, given, 2, stored.problem().rows(), stored.problem().cols()); });
  };
  EXPECT_NO_THROW(check_given(kMap, {.rows = std::vector<Index>{0, 2}}, 2, stored.problem().rows(),
                              stored.problem().cols()));
  EXPECT_EQ(message(kMap, {.start = ClusterStart{.centroids = {1, 2}}}),
            "kind has no use for a start, but one is given");
  EXPECT_EQ(message(kPlain, {.rows = std::vector<Index>{0, 2}}),
            "kind clusters all rows, but some are chosen");
}

TEST(ClusterTrace, TellsStartsAndIterations) {
  std::vector<TraceEvent> events;
  const Trace trace([&](const TraceEvent& event) { events.push_back(event); });
  record_start(trace, 1, {.centroids = {1, 2, 3, 4}, .weights = {5, 6}}, 2);
  record_start(trace, 2, {.centroids = {1, 2, 3, 4}, .weights = {5, 6, 7, 8}}, 2);
  record_start(trace, 3, {.centroids = {1, 2, 3, 4}}, 2);
  record_iteration(trace, 1, 7, {.objective = 0.5, .changed = 2, .must_link_violations = 3});
  using Lines = std::vector<std::vector<double>>;
  ASSERT_EQ(events.size(), 4);
  EXPECT_EQ(events[0].name, "start");
  EXPECT_EQ(std::get<Index>(events[0].fields[0].second), 1);
  EXPECT_EQ(std::get<Lines>(events[0].fields[1].second), (Lines{{1, 2}, {3, 4}}));
  EXPECT_EQ(std::get<std::vector<double>>(events[0].fields[2].second), (std::vector<double>{5, 6}));
  EXPECT_EQ(std::get<Lines>(events[1].fields[2].second), (Lines{{5, 6}, {7, 8}}));
  EXPECT_EQ(events[2].fields.size(), 2);
  EXPECT_EQ(events[3].name, "iteration");
  EXPECT_EQ(events[3].fields[1].first, "iteration");
  EXPECT_EQ(std::get<Index>(events[3].fields[1].second), 7);
  EXPECT_EQ(std::get<double>(events[3].fields[2].second), 0.5);
}

TEST(ClusterTrace, IsSilentIfNotWanted) {
  EXPECT_NO_THROW(record_start({}, 0, {.centroids = {1}}, 1));
  EXPECT_NO_THROW(record_iteration({}, 0, 0, {}));
}

}  // namespace
}  // namespace tamis::test
