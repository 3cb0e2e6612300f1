#include "graphs/knn_exact.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "graphs/graph.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

/// Every distance in double by plain loops, then a sort by (distance, row).
std::vector<Index> naive_neighbors(const Dense& x, const std::vector<Index>& among, Index k) {
  std::vector<Index> rows;
  for (const Index i : among) {
    std::vector<std::pair<double, Index>> others;
    for (const Index j : among) {
      if (j == i) continue;
      double distance = 0.0;
      for (Index r = 0; r < x.cols; ++r) distance += std::pow(x(i, r) - x(j, r), 2);
      others.emplace_back(distance, j);
    }
    std::ranges::sort(others);
    for (Index s = 0; s < k; ++s) rows.push_back(others[s].second);
  }
  return rows;
}

/// Pairs of which either, or both, have the other among their k neighbours; ascending.
std::vector<std::pair<Index, Index>> naive_edges(const std::vector<Index>& neighbors, Index k,
                                                 Symmetry symmetry) {
  std::map<std::pair<Index, Index>, int> found;
  for (Index e = 0; e < std::ssize(neighbors); ++e) ++found[std::minmax(e / k, neighbors[e])];
  std::vector<std::pair<Index, Index>> edges;
  for (const auto& [edge, ends] : found)
    if (ends == 2 || symmetry == Symmetry::either) edges.push_back(edge);
  return edges;
}

/// A graph takes the way of narrow tables or that of nearest_neighbors, whichever is made for it.
void expect_exact_graph(const Problem& problem, const std::vector<Index>& neighbors, Index k) {
  for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual}) {
    Diagnostics notes;
    const Graph graph =
        neighbor_graph(problem.matrix, {.n_neighbors = k, .symmetry = symmetry}, {}, {}, notes);
    std::vector<std::pair<Index, Index>> edges;
    for (const RowPair& edge : graph.edges) {
      edges.emplace_back(edge.first, edge.second);
      EXPECT_EQ(edge.weight, squared_distance(problem.matrix, edge.first, edge.second));
    }
    EXPECT_EQ(edges, naive_edges(neighbors, k, symmetry));
  }
}

void expect_exact(const Dense& x, Index k) {
  const std::vector<Index> expected = naive_neighbors(x, all_indices(x.rows), k);
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    EXPECT_EQ(nearest_neighbors(stored.problem().matrix, k).rows, expected);
    expect_exact_graph(stored.problem(), expected, k);
  }
}

template <class Change>
Dense changed(Dense x, const Change& change) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r)
      x(i, r) = static_cast<double>(static_cast<float>(change(i, r, x(i, r))));
  return x;
}

TEST(NearestNeighbors, EqualBruteForceOverAwkwardSizes) {
  for (const Index rows : {2, 3, 17, 64, 65, 130, 257, 700})
    for (const Index cols : {1, 2, 31, 33, 520})
      for (const Index k : {1, 5, 40}) {
        if (k >= rows || rows * cols > 100'000) continue;
        SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", k = " << k);
        expect_exact(random_table(rows, cols, /*seed=*/1), k);
      }
}

TEST(NearestNeighbors, EqualBruteForceFarFromTheOrigin) {
  expect_exact(changed(random_table(400, 30, 2), [](Index, Index, double v) { return v + 1e4; }),
               10);
}

TEST(NearestNeighbors, EqualBruteForceWithDuplicatedRows) {
  const Dense base = random_table(40, 20, 3);
  expect_exact(
      changed(random_table(400, 20, 3), [&](Index i, Index r, double) { return base(i % 40, r); }),
      10);
}

TEST(NearestNeighbors, BreakTiesOfIntegersByRow) { expect_exact(integer_table(500, 6, 4), 10); }

TEST(NearestNeighbors, BreakTiesOfLargeIntegersByRow) {
  expect_exact(
      changed(integer_table(300, 8, 5), [](Index, Index, double v) { return 1000.0 * v + 5e5; }),
      7);
}

TEST(NearestNeighbors, EqualBruteForceWithClustersFarApart) {
  expect_exact(changed(random_table(400, 25, 6),
                       [](Index i, Index r, double v) { return v + (r == i % 4 ? 300.0 : 0.0); }),
               10);
}

TEST(NearestNeighbors, EqualBruteForceWithFeaturesOnManyScales) {
  RandomStream random(7);
  std::vector<double> scales(30);
  for (double& scale : scales) scale = std::exp(2.0 * random.normal());
  expect_exact(
      changed(random_table(400, 30, 7), [&](Index, Index r, double v) { return scales[r] * v; }),
      10);
}

TEST(NearestNeighbors, EqualBruteForceWithExtremeMagnitudes) {
  for (const double magnitude : {1e-18, 1e17})
    expect_exact(
        changed(random_table(200, 12, 8), [&](Index, Index, double v) { return magnitude * v; }),
        5);
}

TEST(NearestNeighbors, EqualBruteForceOnTextLikeCounts) {
  RandomStream random(9);
  Dense x(300, 80);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r)
      if (random.uniform() < (r < 10 ? 0.6 : 0.04))
        x(i, r) = static_cast<double>(1 + random.below(3));
  expect_exact(x, 10);
}

TEST(NearestNeighbors, EqualBruteForceWhereMostRowsCoincide) {
  expect_exact(changed(integer_table(300, 5, 15),
                       [](Index i, Index, double v) { return i % 4 == 0 ? v : 1.0; }),
               10);
  expect_exact(changed(random_table(300, 5, 15),
                       [](Index i, Index, double v) { return i % 4 == 0 ? v : 0.3; }),
               10);
}

/// Tables large enough for products of integers, where the CPU has instructions for them.
void expect_exact_on_every_target(const Dense& x, Index k) {
  const std::vector<Index> expected = naive_neighbors(x, all_indices(x.rows), k);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    for (const Storage storage : {Storage::dense_double, Storage::dense_float}) {
      SCOPED_TRACE(testing::Message() << tamis::name_of(target) << ", " << name_of(storage));
      const StoredSample stored({.x = x}, storage);
      const Neighbors found = nearest_neighbors(stored.problem().matrix, k);
      EXPECT_EQ(found.rows, expected);
      for (Index e = 0; e < std::ssize(found.rows); ++e)
        ASSERT_EQ(found.squared_distances[e],
                  squared_distance(stored.problem().matrix, e / k, found.rows[e]));
    }
  }
}

constexpr Index kLargeRows = 310;
constexpr Index kLargeCols = 131;

TEST(LargeNearestNeighbors, EqualBruteForceOverAwkwardSizes) {
  for (const Index rows : {256, 289, 500})
    for (const Index cols : {64, 257})
      for (const Index k : {1, 40}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", k = " << k);
        expect_exact_on_every_target(random_table(rows, cols, 21), k);
      }
}

TEST(LargeNearestNeighbors, EqualBruteForceFarFromTheOrigin) {
  for (const double offset : {1e4, 1e6})
    expect_exact_on_every_target(changed(random_table(kLargeRows, kLargeCols, 22),
                                         [&](Index, Index, double v) { return v + offset; }),
                                 10);
}

TEST(LargeNearestNeighbors, EqualBruteForceAtAnySize) {
  for (const double size : {1e-40, 1e-30, 1e-18, 1e18})
    expect_exact_on_every_target(changed(random_table(kLargeRows, kLargeCols, 23),
                                         [&](Index, Index, double v) { return size * v; }),
                                 10);
}

TEST(LargeNearestNeighbors, EqualBruteForceWithDuplicatedRows) {
  const Dense base = random_table(30, kLargeCols, 24);
  expect_exact_on_every_target(changed(random_table(kLargeRows, kLargeCols, 24),
                                       [&](Index i, Index r, double) { return base(i % 30, r); }),
                               12);
}

/// So far apart that no bound of a filter tells the rows of one cluster apart.
TEST(LargeNearestNeighbors, EqualBruteForceWithClustersFarApart) {
  for (const double distance : {300.0, 1e5, 1e7})
    expect_exact_on_every_target(
        changed(random_table(kLargeRows, kLargeCols, 25),
                [&](Index i, Index r, double v) { return v + (r == i % 4 ? distance : 0.0); }),
        10);
}

TEST(LargeNearestNeighbors, EqualBruteForceWhereRowsNearlyCoincide) {
  const Dense base = random_table(1, kLargeCols, 26);
  for (const double noise : {1e-2, 1e-6})
    expect_exact_on_every_target(changed(random_table(kLargeRows, kLargeCols, 26),
                                         [&](Index i, Index r, double v) {
                                           return (i == 7 ? 100.0 : base(0, r)) + noise * v;
                                         }),
                                 10);
}

TEST(LargeNearestNeighbors, BreakTiesOfIntegersByRow) {
  expect_exact_on_every_target(integer_table(kLargeRows, kLargeCols, 27), 10);
  expect_exact_on_every_target(changed(integer_table(kLargeRows, kLargeCols, 28),
                                       [](Index, Index, double v) { return 1000.0 * v + 5e5; }),
                               7);
}

TEST(LargeNearestNeighbors, SeekOnlyAmongTheGivenRows) {
  const Dense x = random_table(2 * kLargeRows, kLargeCols, 29);
  std::vector<Index> among;
  for (Index i = 0; i < x.rows; ++i)
    if (i % 3 != 1) among.push_back(i);
  const StoredSample stored({.x = x}, Storage::dense_float);
  EXPECT_EQ(nearest_neighbors(stored.problem().matrix, among, 4).rows,
            naive_neighbors(x, among, 4));
}

TEST(LargeNearestNeighbors, DoNotDependOnTheNumberOfThreads) {
  const StoredSample stored({.x = random_table(900, 90, 30)}, Storage::dense_float);
  const ThreadLimit one(1);
  const Neighbors expected = nearest_neighbors(stored.problem().matrix, 12);
  const ThreadLimit three(3);
  const Neighbors found = nearest_neighbors(stored.problem().matrix, 12);
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(found.squared_distances, expected.squared_distances);
}

TEST(NearestNeighbors, SeekOnlyAmongTheGivenRows) {
  const Dense x = random_table(120, 9, 10);
  std::vector<Index> among;
  for (Index i = 0; i < x.rows; ++i)
    if (i % 3 != 1) among.push_back(i);
  const std::vector<Index> expected = naive_neighbors(x, among, 4);
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    EXPECT_EQ(nearest_neighbors(stored.problem().matrix, among, 4).rows, expected);
  }
}

TEST(NearestNeighbors, DoNotDependOnTheNumberOfThreads) {
  const StoredSample stored({.x = random_table(900, 40, 11)}, Storage::dense_float);
  std::vector<Neighbors> runs;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    runs.push_back(nearest_neighbors(stored.problem().matrix, 12));
  }
  EXPECT_EQ(runs[0].rows, runs[1].rows);
  EXPECT_EQ(runs[0].squared_distances, runs[1].squared_distances);
}

TEST(NearestNeighbors, GiveTheSameDistancesForDenseAndSparseTables) {
  const Sample sample{.x = sparse_table(150, 70, 12)};
  const StoredSample dense(sample, Storage::dense_double);
  const StoredSample sparse(sample, Storage::csr_double);
  EXPECT_EQ(nearest_neighbors(dense.problem().matrix, 6).squared_distances,
            nearest_neighbors(sparse.problem().matrix, 6).squared_distances);
}

TEST(NearestNeighbors, OfEachRowComeOnceThoughSomeAreSoughtTwice) {
  Dense x = random_table(400, 30, 15);
  for (Index v = 0; v < 200 * x.cols; ++v)  // rows that products cannot tell apart
    x.values[v] = 1e4 + 1e-6 * x.values[v];
  for (const Storage storage : {Storage::dense_float, Storage::dense_double}) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    const Neighbors expected = nearest_neighbors(stored.problem().matrix, 5);
    std::vector<std::vector<Index>> found(x.rows);
    const auto take = [&](Index row, std::span<const Neighbor> nearest) {
      for (const Neighbor& other : nearest) found[row].push_back(other.row);
    };
    each_nearest_neighbors(stored.problem().matrix, 5, take);
    for (Index i = 0; i < x.rows; ++i)
      ASSERT_EQ(found[i], std::vector<Index>(&expected.rows[i * 5], &expected.rows[i * 5] + 5));
  }
}

TEST(NearestNeighbors, CutKToTheOtherRows) {
  const StoredSample stored({.x = random_table(5, 3, 13)});
  EXPECT_EQ(nearest_neighbors(stored.problem().matrix, 10).k, 4);
  EXPECT_THROW(nearest_neighbors(stored.problem().matrix, 0), InvalidArgument);
}

TEST(NearestNeighbors, ReportProgressUpToTheEnd) {
  const StoredSample stored({.x = random_table(300, 5, 14)});
  Index last = 0;
  Index goal = -1;
  nearest_neighbors(stored.problem().matrix, 3, Progress([&](auto, Index done, Index total) {
                      last = done;
                      goal = total;
                    }));
  EXPECT_EQ(last, goal);
}

TEST(NearestNeighbors, RefusesRowsWhoseSquaredDistancesOverflow) {  // sparse ones crashed
  for (const double size : {1e154, 1e300, 1e308}) {
    Dense x = sparse_table(60, 6, /*seed=*/3);
    for (double& value : x.values) value *= 0.2 * size;
    for (const Storage storage : {Storage::dense_double, Storage::csr_double}) {
      SCOPED_TRACE(testing::Message() << size << ", " << name_of(storage));
      const StoredSample stored({x}, storage);
      const auto refuse = [](const auto& act) {
        EXPECT_EQ(message_of<DataError>(act),
                  "nearest neighbours: the rows lie so far apart that their squared distances "
                  "overflow; divide the table by a power of ten first");
      };
      refuse([&] { nearest_neighbors(stored.problem().matrix, 3); });
      Diagnostics notes;
      refuse([&] { neighbor_graph(stored.problem().matrix, {.n_neighbors = 3}, {}, {}, notes); });
    }
  }
}

}  // namespace
}  // namespace tamis::test
