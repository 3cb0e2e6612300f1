#include "clustering/ward/agglomerative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/sample.hpp"
#include "support/source_root.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Partition = std::vector<Index>;

std::vector<double> naive_centroid(const test::Dense& x, const std::vector<Index>& rows) {
  std::vector<double> centroid(x.cols, 0.0);
  for (const Index i : rows)
    for (Index r = 0; r < x.cols; ++r) centroid[r] += x(i, r) / static_cast<double>(rows.size());
  return centroid;
}

double naive_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += (a[r] - b[r]) * (a[r] - b[r]);
  return std::sqrt(sum);
}

/// Always merges the two nearest of all clusters: O(n^3 m).
std::vector<Merge> naive_ward(const test::Dense& x) {
  std::map<Index, std::vector<Index>> clusters;
  for (Index i = 0; i < x.rows; ++i) clusters[i] = {i};
  std::vector<Merge> merges;
  while (clusters.size() > 1) {
    Merge best{.height = kInfinity};
    for (const auto& [a, rows_a] : clusters)
      for (const auto& [b, rows_b] : clusters) {
        if (b <= a) continue;
        const auto na = static_cast<double>(rows_a.size());
        const auto nb = static_cast<double>(rows_b.size());
        const double height = std::sqrt(2.0 * na * nb / (na + nb)) *
                              naive_distance(naive_centroid(x, rows_a), naive_centroid(x, rows_b));
        if (height < best.height) best = {a, b, height, std::ssize(rows_a) + std::ssize(rows_b)};
      }
    std::vector<Index> joined = clusters[best.first];
    joined.insert(joined.end(), clusters[best.second].begin(), clusters[best.second].end());
    clusters.erase(best.first);
    clusters.erase(best.second);
    clusters[x.rows + std::ssize(merges)] = joined;
    merges.push_back(best);
  }
  return merges;
}

double naive_davies_bouldin(const test::Dense& x, const Partition& assignment) {
  std::vector<std::vector<Index>> clusters(std::ranges::max(assignment) + 1);
  for (Index i = 0; i < x.rows; ++i) clusters[assignment[i]].push_back(i);
  const auto spread = [&](const std::vector<Index>& rows) {
    double sum = 0.0;
    for (const Index i : rows)
      sum += naive_distance(naive_centroid(x, {i}), naive_centroid(x, rows));
    return sum / static_cast<double>(rows.size());
  };
  double index = 0.0;
  for (const auto& a : clusters) {
    double worst = 0.0;
    for (const auto& b : clusters)
      if (&a != &b)
        worst = std::max(worst, (spread(a) + spread(b)) /
                                    naive_distance(naive_centroid(x, a), naive_centroid(x, b)));
    index += worst / static_cast<double>(clusters.size());
  }
  return index;
}

void expect_same_merges(const std::vector<Merge>& actual, const std::vector<Merge>& expected,
                        double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t t = 0; t < actual.size(); ++t) {
    SCOPED_TRACE(testing::Message() << "merge " << t);
    EXPECT_EQ(actual[t].first, expected[t].first);
    EXPECT_EQ(actual[t].second, expected[t].second);
    EXPECT_EQ(actual[t].size, expected[t].size);
    EXPECT_NEAR(actual[t].height, expected[t].height, tolerance * (1.0 + expected[t].height));
  }
}

/// The same with clusters numbered by first row.
Partition renumbered(const Partition& assignment) {
  std::map<Index, Index> numbers;
  Partition result;
  for (const Index cluster : assignment)
    result.push_back(numbers.emplace(cluster, std::ssize(numbers)).first->second);
  return result;
}

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(source_root() / "tests/data/" / path);
  return nlohmann::json::parse(file);
}

test::Dense scaled_and_shifted(test::Dense x, double scale, double shift) {
  for (double& value : x.values) value = value * scale + shift;
  return x;
}

test::Dense constant_table(Index rows, Index cols, double value) {
  test::Dense x(rows, cols);
  for (double& entry : x.values) entry = value;
  return x;
}

TEST(WardLinkage, MergesTheNearestOfAllClustersInEveryStorage) {
  for (const test::Dense& x :
       {test::random_table(2, 3, 1), test::random_table(3, 1, 2), test::random_table(90, 5, 3),
        test::sparse_table(70, 40, 4), test::blobs(80, 17, 1, 5).x, test::random_table(300, 2, 8)})
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(name_of(storage));
      const test::StoredSample stored({x}, storage);
      for (const Index max_held : {kMaxHeldValues, Index{0}})
        expect_same_merges(ward_linkage(stored.problem().matrix, {}, max_held), naive_ward(x),
                           1e-9);
    }
}

TEST(WardLinkage, NeedsNoCentroidsInMemory) {
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({test::random_table(600, 12, 10)}, storage);
    const std::vector<Merge> all_held = ward_linkage(stored.problem().matrix);
    for (const Index max_held : {0, 40 * 16})  // none, and those of 40 clusters
      expect_same_merges(ward_linkage(stored.problem().matrix, {}, max_held), all_held, 0.0);
  }
}

/// Where all distances are alike lists are soon used up, and new ones are made in blocks.
TEST(WardLinkage, MergesTheNearestWhereListsDoNotLast) {
  const test::Dense x = test::random_table(150, 60, 11);
  const std::vector<Merge> expected = naive_ward(x);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({x}, storage);
    expect_same_merges(ward_linkage(stored.problem().matrix), expected, 1e-9);
  }
}

TEST(WardLinkage, IsNotMisledByOffsetsAndExtremeScales) {
  const test::Dense x = test::random_table(60, 4, 6);
  for (const auto& [scale, shift] : std::vector<std::pair<double, double>>{
           {1.0, 1e4}, {1.0, 1e9}, {1e-30, 0.0}, {1e-60, 0.0}, {1e25, 0.0}, {1e60, 0.0}}) {
    SCOPED_TRACE(testing::Message() << scale << " " << shift);
    const test::Dense moved = scaled_and_shifted(x, scale, shift);
    const test::StoredSample stored({moved});
    std::vector<Merge> merges = ward_linkage(stored.problem().matrix);
    std::vector<Merge> expected = naive_ward(moved);
    for (Merge& merge : merges) merge.height /= scale;
    for (Merge& merge : expected) merge.height /= scale;
    expect_same_merges(merges, expected, 1e-6);
  }
}

TEST(WardLinkage, EqualsThatOfSciPy) {
  for (const auto& expected : read_json("ward_scipy.json")) {
    test::Dense x(expected["rows"], expected["cols"]);
    x.values = expected["values"].get<std::vector<double>>();
    std::vector<Merge> merges;
    for (const auto& merge : expected["merges"])
      merges.push_back({merge[0], merge[1], merge[2], merge[3]});
    expect_same_merges(ward_linkage(test::StoredSample({x}).problem().matrix), merges, 1e-9);
  }
}

TEST(WardLinkage, GivesTheSameMergesForAnyNumberOfThreads) {
  const test::StoredSample stored({test::random_table(700, 600, 7)}, test::Storage::dense_float);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return ward_linkage(stored.problem().matrix);
  };
  const std::vector<Merge> one = run(1);
  const std::vector<Merge> three = run(3);
  expect_same_merges(one, three, 0.0);
}

TEST(WardLinkage, SettlesTiesWithoutEndAndKeepsHeightsAscending) {
  for (const test::Dense& x : {test::integer_table(150, 3, 8), constant_table(40, 2, 0.1)}) {
    const test::StoredSample stored({x});
    const std::vector<Merge> merges = ward_linkage(stored.problem().matrix);
    EXPECT_TRUE(std::ranges::is_sorted(merges, {}, &Merge::height));
    EXPECT_EQ(merges.back().size, x.rows);
    const auto sum = [](const std::vector<Merge>& all) {
      double total = 0.0;
      for (const Merge& merge : all) total += merge.height * merge.height;
      return total;
    };
    // Each merge adds half its squared height to the inertia: in any order, all of it.
    EXPECT_NEAR(sum(merges), sum(naive_ward(x)), 1e-9 * (1.0 + sum(merges)));
  }
}

TEST(WardLinkage, PutsTwinRowsTogetherAtHeightZero) {
  test::Dense x = test::random_table(20, 3, 9);
  for (const Index twin : {3, 7, 11})
    for (Index r = 0; r < 3; ++r) x(twin, r) = x(15, r) = 0.1;
  const std::vector<Merge> merges = ward_linkage(test::StoredSample({x}).problem().matrix);
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(merges[t].height, 0.0);
  EXPECT_GT(merges[3].height, 0.0);
}

TEST(WardLinkage, EndsEvenIfEveryDistanceOverflows) {
  const test::Dense x = scaled_and_shifted(test::random_table(30, 2, 16), 1e200, 0.0);
  EXPECT_EQ(ward_linkage(test::StoredSample({x}).problem().matrix).back().size, 30);
}

TEST(WardLinkage, HasNoMergeForOneRow) {
  EXPECT_TRUE(ward_linkage(test::StoredSample({test::Dense(1, 2)}).problem().matrix).empty());
}

TEST(Cut, NumbersClustersByFirstRow) {
  const std::vector<Merge> merges{{2, 4, 1.0, 2}, {1, 3, 2.0, 2}, {5, 6, 3.0, 4}, {0, 7, 4.0, 5}};
  EXPECT_EQ(cut(merges, 5), (Partition{0, 1, 2, 3, 4}));
  EXPECT_EQ(cut(merges, 3), (Partition{0, 1, 2, 1, 2}));
  EXPECT_EQ(cut(merges, 2), (Partition{0, 1, 1, 1, 1}));
  EXPECT_EQ(cut(merges, 1), (Partition{0, 0, 0, 0, 0}));
}

TEST(DaviesBouldin, MatchesTheNaiveFormulaInEveryStorage) {
  const test::Dense x = test::sparse_table(50, 12, 10);
  Partition assignment;
  for (Index i = 0; i < 50; ++i) assignment.push_back(i == 49 ? 4 : i % 4);  // the last is alone
  for (const test::Storage storage : test::kStorages)
    EXPECT_NEAR(davies_bouldin(test::StoredSample({x}, storage).problem().matrix, assignment),
                naive_davies_bouldin(x, assignment), 1e-10);
}

TEST(DaviesBouldin, IsInfiniteIfTwoCentroidsCoincideEvenOfSingleRows) {
  test::Dense x(4, 1);
  x.values = {0.1, 0.1, 5.0, 6.0};
  const test::StoredSample stored({x});
  EXPECT_EQ(davies_bouldin(stored.problem().matrix, Partition{0, 1, 2, 2}), kInfinity);
  EXPECT_EQ(davies_bouldin(stored.problem().matrix, Partition{0, 0, 1, 2}), 0.0);
}

TEST(DaviesBouldinCut, TakesTheLowestIndexOfAllCuts) {
  for (const test::Dense& x : {test::random_table(60, 3, 11), test::blobs(90, 6, 1, 12).x,
                               test::blobs(61, 4, 1, 13).x, test::sparse_table(40, 9, 14)}) {
    const test::StoredSample stored({x});
    const std::vector<Merge> merges = ward_linkage(stored.problem().matrix);
    for (const std::optional<Index> most : {std::optional<Index>(), std::optional<Index>(4)}) {
      const auto limit =
          most.value_or(static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(x.rows)))));
      Index best = 2;
      for (Index count = 3; count <= limit; ++count)
        if (naive_davies_bouldin(x, cut(merges, count)) <
            naive_davies_bouldin(x, cut(merges, best)))
          best = count;
      EXPECT_EQ(davies_bouldin_cut(stored.problem().matrix, merges, most), cut(merges, best));
    }
  }
}

TEST(DaviesBouldinCut, HasTheGoldenClusters) {
  const test::StoredSample stored(test::load_golden("plain").sample);
  const auto golden = read_json("golden/plain.json")["ward_davies_bouldin_clusters"];
  EXPECT_EQ(davies_bouldin_cut(stored.problem().matrix, ward_linkage(stored.problem().matrix)),
            renumbered(golden.get<Partition>()));
}

TEST(DaviesBouldinCut, TakesFewerClustersOnATieAndOneForTwoRows) {
  const test::StoredSample same({constant_table(9, 2, 0.1)});  // every index is infinite
  const Partition clusters =
      davies_bouldin_cut(same.problem().matrix, ward_linkage(same.problem().matrix));
  EXPECT_EQ(std::ranges::max(clusters), 1);
  const test::StoredSample two({test::random_table(2, 2, 15)});
  EXPECT_EQ(davies_bouldin_cut(two.problem().matrix, ward_linkage(two.problem().matrix)),
            (Partition{0, 0}));
}

}  // namespace
}  // namespace tamis
