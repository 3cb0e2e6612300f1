#include "redundancy/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "naive_correlation.hpp"
#include "redundancy/correlation.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Dense;
using test::StoredSample;
using Edges = std::vector<Redundancy::Edge>;

Edges tree_of(const Dense& x, const std::vector<Index>& columns,
              test::Storage storage = test::Storage::dense_double) {
  const StoredSample stored({x}, storage);
  return maximum_spanning_tree(stored.problem().matrix, columns);
}

std::vector<double> correlation_matrix(const Dense& x, const std::vector<Index>& columns) {
  const StoredSample stored({x});
  const Index h = std::ssize(columns);
  std::vector<PositionPair> pairs;
  for (Index a = 0; a < h; ++a)
    for (Index b = 0; b < h; ++b) pairs.push_back({a, b});
  return absolute_correlations(stored.problem().matrix, columns, pairs);
}

/// Prim's algorithm as it is told: O(h^3), every edge looked at.
Edges naive_prim(const Dense& x, const std::vector<Index>& columns) {
  const Index h = std::ssize(columns);
  const std::vector<double> weight = correlation_matrix(x, columns);
  std::vector<bool> has_joined(h, false);
  has_joined[0] = true;
  Edges tree;
  for (Index step = 1; step < h; ++step) {
    double best = -1.0;
    Index from = 0;
    Index to = 0;
    for (Index b = 0; b < h; ++b)
      for (Index a = 0; a < h; ++a)
        if (has_joined[a] && !has_joined[b] && weight[a * h + b] > best) {
          best = weight[a * h + b];
          from = a;
          to = b;
        }
    has_joined[to] = true;
    tree.push_back({columns[from], columns[to], best});
  }
  return tree;
}

double kruskal_weight(const Dense& x, const std::vector<Index>& columns) {
  const Index h = std::ssize(columns);
  std::vector<std::tuple<double, Index, Index>> edges;
  for (Index a = 0; a < h; ++a)
    for (Index b = 0; b < a; ++b)
      edges.emplace_back(-test::naive_correlation(x, columns[a], columns[b]), a, b);
  std::ranges::sort(edges);
  std::vector<Index> group(h);
  std::iota(group.begin(), group.end(), Index{0});
  double weight = 0.0;
  for (const auto& [negated, a, b] : edges) {
    if (group[a] == group[b]) continue;
    std::ranges::replace(group, Index{group[a]}, Index{group[b]});
    weight -= negated;
  }
  return weight;
}

void expect_same(const Edges& actual, const Edges& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    EXPECT_EQ(actual[k].first, expected[k].first) << "edge " << k;
    EXPECT_EQ(actual[k].second, expected[k].second) << "edge " << k;
    EXPECT_EQ(actual[k].correlation, expected[k].correlation) << "edge " << k;
  }
}

std::vector<Index> shuffled(Index n, std::uint64_t seed) {
  RandomStream random(seed);
  return random.sample(n, n);
}

/// Columns that follow a few common ones: strong and nearly equal correlations.
Dense related_table(Index rows, Index cols, double noise, std::uint64_t seed) {
  Dense x = test::random_table(rows, cols, seed);
  for (Index i = 0; i < rows; ++i)
    for (Index r = 5; r < cols; ++r)
      x(i, r) = static_cast<float>(x(i, r % 5) * (r % 2 == 0 ? 2.0 : -1.0) + noise * x(i, r));
  return x;
}

/// That of the table, and that of correlations that somebody else knows.
void expect_both_are(const Edges& expected, const Dense& x, const std::vector<Index>& columns) {
  expect_same(tree_of(x, columns), expected);
  const Index all = x.cols;
  const std::vector<double> known = correlation_matrix(x, all_indices(all));
  const auto correlation = [&](Index a, Index b) { return known[a * all + b]; };
  expect_same(maximum_spanning_tree(columns, correlation), expected);
}

TEST(MaximumSpanningTree, EqualsPrimsAlgorithmOnEveryEdge) {
  for (const Index cols : {2, 3, 17, 60})
    for (const Index rows : {4, 30, 400}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols);
      const std::vector<Index> columns = shuffled(cols, /*seed=*/1);
      for (const Dense& x : {test::random_table(rows, cols, 1), test::sparse_table(rows, cols, 2),
                             related_table(rows, cols, 0.3, 3), related_table(rows, cols, 1e-3, 4)})
        expect_both_are(naive_prim(x, columns), x, columns);
    }
}

TEST(MaximumSpanningTree, BreaksTiesByRankWhereManyCorrelationsAreEqual) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Dense x = test::integer_table(6, 40, seed);  // few rows of few values: most columns repeat
    for (double& value : x.values) value = value > 0.0 ? 1.0 : 0.0;
    const std::vector<Index> columns = shuffled(40, seed);
    expect_both_are(naive_prim(x, columns), x, columns);
  }
}

TEST(MaximumSpanningTree, SeesDifferencesThatFloat32Cannot) {
  Dense x = test::random_table(300, 30, /*seed=*/5);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 1; r < 30; ++r)  // 1 - |rho| is about 1e-10, and differs from pair to pair
      x(i, r) = x(i, 0) + 1e-5 * x(i, r);
  const std::vector<Index> columns = shuffled(30, /*seed=*/6);
  expect_same(tree_of(x, columns), naive_prim(x, columns));
}

TEST(MaximumSpanningTree, WeighsAsMuchAsKruskals) {
  for (const Index cols : {5, 40, 100}) {
    const Dense x = related_table(50, cols, 0.7, /*seed=*/7);
    const std::vector<Index> columns = shuffled(cols, /*seed=*/8);
    double weight = 0.0;
    for (const auto& edge : tree_of(x, columns)) weight += edge.correlation;
    EXPECT_NEAR(weight, kruskal_weight(x, columns), 1e-11);
  }
}

TEST(MaximumSpanningTree, IsTheSameInEveryStorageAndForAnyNumberOfThreads) {
  const Dense x = test::sparse_table(800, 60, /*seed=*/9);
  const std::vector<Index> columns = shuffled(60, /*seed=*/10);
  const Edges expected = tree_of(x, columns);
  for (const test::Storage storage : test::kStorages)
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      expect_same(tree_of(x, columns, storage), expected);
    }
}

TEST(MaximumSpanningTree, IsRightBeyondOneTileOfProducts) {
  const Dense x = related_table(40, 530, 0.5, /*seed=*/11);
  const std::vector<Index> columns = shuffled(530, /*seed=*/12);
  const Edges tree = tree_of(x, columns);
  double weight = 0.0;
  for (const auto& edge : tree) weight += edge.correlation;
  EXPECT_NEAR(weight, kruskal_weight(x, columns), 1e-10);
}

TEST(MaximumSpanningTree, JoinsConstantColumnsToTheFirstWithCorrelationZero) {
  Dense x = test::random_table(30, 5, /*seed=*/13);
  for (Index i = 0; i < 30; ++i) x(i, 1) = x(i, 3) = 0.1;
  for (const std::vector<Index>& columns :
       {std::vector<Index>{2, 1, 0, 4, 3}, {1, 2, 3, 0, 4}, {1, 3}, {3, 2}})
    expect_same(tree_of(x, columns), naive_prim(x, columns));
  EXPECT_EQ(tree_of(x, {2, 1, 0, 4, 3}).back().second, 3);
  EXPECT_EQ(tree_of(x, {2, 1, 0, 4, 3}).back().first, 2);
}

TEST(MaximumSpanningTree, IsEmptyForFewerThanTwoColumns) {
  const Dense x = test::random_table(10, 2, /*seed=*/14);
  EXPECT_TRUE(tree_of(x, {}).empty());
  EXPECT_TRUE(tree_of(x, {1}).empty());
}

TEST(MaximumSpanningTree, JoinsOneRowTableWithoutCorrelation) {
  const Dense x = test::random_table(1, 3, /*seed=*/15);
  expect_same(tree_of(x, {2, 0, 1}), {{2, 0, 0.0}, {2, 1, 0.0}});
}

TEST(PruneAlongTree, RemovesTheNeighborsOfEachKeptColumnDownTheRanking) {
  const std::vector<Index> columns{7, 3, 5, 1, 9};
  const Edges path{{7, 5, 0.9}, {5, 3, 0.8}, {3, 9, 0.7}, {9, 1, 0.6}};
  const Pruned pruned = prune_along_tree(columns, path, 0.0);
  EXPECT_EQ(pruned.kept, (std::vector<Index>{7, 3, 1}));
  ASSERT_EQ(pruned.removed.size(), 2U);
  EXPECT_EQ(pruned.removed[0].feature, 5);
  EXPECT_EQ(pruned.removed[0].because_of, 7);
  EXPECT_EQ(pruned.removed[0].correlation, 0.9);
  EXPECT_EQ(pruned.removed[1].feature, 9);
  EXPECT_EQ(pruned.removed[1].because_of, 3);
}

TEST(PruneAlongTree, LetsAnEdgeBelowTheThresholdRemoveNobody) {
  const std::vector<Index> columns{0, 1, 2};
  const Edges tree{{0, 1, 0.5}, {1, 2, 0.4}};
  EXPECT_EQ(prune_along_tree(columns, tree, 0.0).kept, (std::vector<Index>{0, 2}));
  EXPECT_EQ(prune_along_tree(columns, tree, 0.5).kept, (std::vector<Index>{0, 2}));
  EXPECT_EQ(prune_along_tree(columns, tree, 0.6).kept, (std::vector<Index>{0, 1, 2}));
}

TEST(PruneAlongTree, NeverKeepsTwoColumnsThatAreJoined) {
  const Dense x = related_table(60, 50, 0.5, /*seed=*/16);
  const std::vector<Index> columns = shuffled(50, /*seed=*/17);
  const Edges tree = tree_of(x, columns);
  const Pruned pruned = prune_along_tree(columns, tree, 0.0);
  const auto is_kept = [&](Index r) { return std::ranges::count(pruned.kept, r) == 1; };
  for (const auto& edge : tree) EXPECT_FALSE(is_kept(edge.first) && is_kept(edge.second));
  for (const auto& removal : pruned.removed) EXPECT_TRUE(is_kept(removal.because_of));
  EXPECT_EQ(pruned.kept.size() + pruned.removed.size(), columns.size());
  EXPECT_EQ(pruned.kept.front(), columns.front());
}

TEST(PruneAlongTree, RemovesTheCopyOfAKeptColumnBecauseOfIt) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Dense x = related_table(60, 21, 0.5, seed);
    const std::vector<Index> columns = shuffled(20, seed);
    const StoredSample before({x});
    const std::vector<Index> kept =
        prune_along_tree(columns, maximum_spanning_tree(before.problem().matrix, columns), 0.0)
            .kept;
    for (const Index twin : kept) {
      for (Index i = 0; i < x.rows; ++i) x(i, 20) = -x(i, twin);
      std::vector<Index> with_copy = columns;
      with_copy.push_back(20);  // last in the ranking
      const Pruned pruned = prune_along_tree(with_copy, tree_of(x, with_copy), 0.0);
      EXPECT_EQ(pruned.kept, kept);
      EXPECT_EQ(pruned.removed.back().feature, 20);
      EXPECT_EQ(pruned.removed.back().because_of, twin);
      EXPECT_EQ(pruned.removed.back().correlation, 1.0);
    }
  }
}

}  // namespace
}  // namespace tamis
