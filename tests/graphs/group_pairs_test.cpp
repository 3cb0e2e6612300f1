#include "graphs/group_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/cpu.hpp"
#include "graphs/graph.hpp"
#include "support/naive.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::StoredSample;

/// All pairs within groups as a matrix of weights.
test::RowMatrix naive_weights(const test::Dense& x, const RowGroups& groups,
                              const PairWeight& weight) {
  const test::RowMatrix squared = naive_squared_distances(x);
  test::RowMatrix weights(x.rows);
  for (const std::vector<Index>& rows : groups)
    for (const Index i : rows)
      for (const Index j : rows)
        if (i < j)
          weights.set(i, j,
                      weight.kernel == Kernel::binary
                          ? 1.0
                          : std::exp(-(squared(i, j) - weight.nearest) / weight.t));
  return weights;
}

void expect_sums_of(const test::Dense& x, const test::RowMatrix& weights, const PairSums& sums) {
  const std::vector<double> degrees = naive_degrees(weights);
  for (Index i = 0; i < x.rows; ++i)
    EXPECT_NEAR(sums.degrees[i], degrees[i], 1e-12 * (1.0 + degrees[i]));
  for (Index r = 0; r < x.cols; ++r) {
    const double expected = naive_pair_sum(x, r, weights);
    EXPECT_NEAR(sums.differences[r], expected, 1e-12 * (1.0 + expected));
  }
  const double total = std::accumulate(degrees.begin(), degrees.end(), 0.0) / 2.0;
  double squares = 0.0;
  for (const double w : weights.values) squares += 0.5 * w * w;
  EXPECT_NEAR(sums.weight, total, 1e-12 * (1.0 + total));
  EXPECT_NEAR(sums.squared_weight, squares, 1e-12 * (1.0 + squares));
}

RowGroups thirds(Index rows) {
  RowGroups groups(4);
  for (Index i = 0; i < rows; ++i)
    if (i % 7 != 0) groups[i % 3].push_back(i);
  groups[3].push_back(0);  // a row alone has no pair
  return groups;
}

/// Some rows are copies of others, as in a bag.
test::Dense with_copies(test::Dense x) {
  for (Index i = x.rows / 2; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) x(i, r) = x(i % 11 + 20, r);
  return x;
}

PairSums kernel_sums(const MatrixView& x, const RowGroups& groups, const PairWeight& weight) {
  return sum_group_pairs(x, coinciding_rows(x, groups), weight, {}, "pairs");
}

TEST(GroupPairs, AreSummedUpAsInPlainLoops) {
  for (const Index rows : {5, 64, 65, 400})
    for (const Index cols : {1, 4, 6, 33, 70})
      for (const bool has_copies : {false, true}) {
        SCOPED_TRACE(testing::Message() << rows << " " << cols << " " << has_copies);
        test::Dense x = test::random_table(rows, cols, /*seed=*/1);
        if (has_copies && rows > 31) x = with_copies(std::move(x));
        const StoredSample stored({x});
        const RowGroups groups = thirds(rows);
        const MatrixView& matrix = stored.problem().matrix;
        const PairWeight heat{Kernel::heat, 0.3 * static_cast<double>(cols), 0.0};
        const PairWeight binary{Kernel::binary};
        expect_sums_of(x, naive_weights(x, groups, heat), kernel_sums(matrix, groups, heat));
        expect_sums_of(x, naive_weights(x, groups, binary), kernel_sums(matrix, groups, binary));
        expect_sums_of(x, naive_weights(x, groups, binary), sum_equal_pairs(matrix, groups));
      }
}

TEST(GroupPairs, OfRowsThatCoincideAreCountedAsIfTheyWereListed) {
  const RowGroups groups = thirds(400);
  const PairWeight weight{Kernel::heat, 2.0, 0.0};
  const TileRule each_row_by_itself{
      .weigh = [&](const TilePairs&, PairTile::Values& values) { weight.apply(values); }};
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({with_copies(test::random_table(400, 6, /*seed=*/5))}, storage);
    const MatrixView& matrix = stored.problem().matrix;
    ASSERT_FALSE(coinciding_rows(matrix, groups).members.empty());
    const PairSums listed = sum_group_pairs(matrix, groups, each_row_by_itself, {}, "pairs");
    const PairSums counted = kernel_sums(matrix, groups, weight);
    test::expect_scores_near(counted.differences, listed.differences, 1e-13);
    test::expect_scores_near(counted.degrees, listed.degrees, 1e-13);
    EXPECT_NEAR(counted.weight, listed.weight, 1e-13 * listed.weight);
    EXPECT_NEAR(counted.squared_weight, listed.squared_weight, 1e-13 * listed.squared_weight);
  }
}

TEST(GroupPairs, WeighWhatIsFarApart0AndNothingMoreThanTheNearest) {
  test::Dense x(130, 1);
  for (Index i = 0; i < 130; ++i) x(i, 0) = static_cast<double>(i * i);
  const StoredSample stored({x});
  RowGroups groups(1, all_indices(130));
  const MatrixView& matrix = stored.problem().matrix;
  EXPECT_EQ(nearest_group_pair(matrix, coinciding_rows(matrix, groups), {}), 1.0);
  const PairSums sums = kernel_sums(matrix, groups, PairWeight{Kernel::heat, 1e-3, 1.0});
  EXPECT_EQ(sums.weight, 1.0);
  EXPECT_EQ(sums.differences[0], 1.0);
}

/// Products of rows would do for none of these tables, or for a table like them.
TEST(PairWeight, IsTheSameAloneAndAmongOthersOnEveryTarget) {
  const PairWeight weight{.t = 0.7, .nearest = 0.3};
  for (const Index n : {0, 1, 15, 16, 17, 100}) {
    SCOPED_TRACE(n);
    std::vector<double> distances(n);
    for (Index s = 0; s < n; ++s) distances[s] = 0.3 + 0.37 * static_cast<double>(s);
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      SCOPED_TRACE(name_of(target));
      const TargetLimit limit(target);
      std::vector<double> weights = distances;
      weight.apply(weights);
      for (Index s = 0; s < n; ++s) {
        EXPECT_NEAR(weights[s], std::exp(-(distances[s] - 0.3) / 0.7), 1e-13 * weights[s]);
        EXPECT_EQ(weights[s], weight(distances[s]));
      }
    }
  }
}

TEST(PairWeight, IsANumberForDistancesThatNearlyVanish) {
  constexpr double kTiny = 1e-310;
  std::vector<double> weights = {kTiny, 2.0 * kTiny, 1.0};
  PairWeight{.t = kTiny, .nearest = kTiny}.apply(weights);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_NEAR(weights[1], std::exp(-1.0), 1e-12);
  EXPECT_EQ(weights[2], 0.0);
}

TEST(PairWeight, OfABandwidthThatVanishesIsThatOfTheNearestAlone) {
  std::vector<double> weights = {0.25, 0.5, 0.25};
  PairWeight{.t = 0.0, .nearest = 0.25}.apply(weights);
  EXPECT_EQ(weights, (std::vector<double>{1.0, 0.0, 1.0}));
}

TEST(GroupPairs, WeighNumbersWhereDistancesNearlyVanish) {
  test::Dense x(3, 1);
  x(1, 0) = 1e-155;
  x(2, 0) = 1e-155;
  const StoredSample stored({.x = x});
  const RowGroups groups{{0, 1, 2}};
  const MatrixView& matrix = stored.problem().matrix;
  for (const double t : {0.0, 1e-310}) {
    const PairSums sums = sum_group_pairs(matrix, coinciding_rows(matrix, groups),
                                          PairWeight{.t = t, .nearest = 0.0}, {}, "pairs");
    EXPECT_NEAR(sums.weight, t == 0.0 ? 1.0 : 1.0 + 2.0 * std::exp(-1.0), 1e-12) << t;
  }
}

TEST(GroupPairs, LoseNoDigitsToOffsetsOutliersAndSmallBandwidths) {
  const RowGroups groups = thirds(150);
  const auto expect_digits = [&](const test::Dense& x, double t) {
    const PairWeight weight{Kernel::heat, t, 0.0};
    expect_sums_of(x, naive_weights(x, groups, weight),
                   kernel_sums(StoredSample({x}).problem().matrix, groups, weight));
  };
  const test::Dense x = test::random_table(150, 5, /*seed=*/6);
  expect_digits(x, 5.0);
  expect_digits(x, 1e-3);
  test::Dense outlier = x;
  outlier(40, 2) = 1e9;
  expect_digits(outlier, 5.0);
  expect_digits(outlier, 1e18);
  test::Dense shifted = x;  // by what changes no digit
  for (Index i = 0; i < 150; ++i)
    for (Index r = 0; r < 5; ++r) shifted(i, r) = std::round(x(i, r) * 0x1p20) / 0x1p20 + 0x1p30;
  expect_digits(shifted, 5.0);
  test::Dense flat = x;  // constant in a class, and with hardly a difference
  for (Index i = 0; i < 150; ++i) {
    flat(i, 0) = static_cast<double>(i % 3) + 0.1;
    flat(i, 1) = 1.0 + 1e-9 * x(i, 1);
  }
  expect_digits(flat, 5.0);
}

TEST(GroupPairs, AreTheSameOnEveryTarget) {
  const StoredSample stored({test::random_table(150, 7, /*seed=*/7)});
  const PairWeight weight{Kernel::heat, 5.0, 0.0};
  const auto sums = [&] { return kernel_sums(stored.problem().matrix, thirds(150), weight); };
  const PairSums best = sums();
  for (const Target target : {Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    const PairSums other = sums();
    EXPECT_EQ(other.differences, best.differences) << name_of(target);
    EXPECT_EQ(other.degrees, best.degrees) << name_of(target);
    EXPECT_EQ(other.weight, best.weight) << name_of(target);
    EXPECT_EQ(other.squared_weight, best.squared_weight) << name_of(target);
  }
}

TEST(GroupPairs, KnowTheirNumberTheirNearestAndTheirMeanDistance) {
  const test::Dense x = test::random_table(150, 5, /*seed=*/2);
  const StoredSample stored({x});
  const RowGroups groups = thirds(150);
  const test::RowMatrix squared = naive_squared_distances(x);
  const test::RowMatrix pairs = naive_weights(x, groups, PairWeight{Kernel::binary});
  double nearest = HUGE_VAL;
  double sum = 0.0;
  Index count = 0;
  for (Index i = 0; i < 150; ++i)
    for (Index j = 0; j < i; ++j) {
      if (pairs(i, j) == 0.0) continue;
      nearest = std::min(nearest, squared(i, j));
      sum += squared(i, j);
      ++count;
    }
  EXPECT_EQ(count_group_pairs(groups), count);
  const MatrixView& matrix = stored.problem().matrix;
  EXPECT_NEAR(nearest_group_pair(matrix, coinciding_rows(matrix, groups), {}), nearest, 1e-12);
  EXPECT_NEAR(total_group_distance(matrix, groups), sum, 1e-9 * sum);
}

TEST(GroupPairs, AreTheSameInEveryStorageAndForAnyNumberOfThreads) {
  const test::Dense x = test::sparse_table(900, 40, /*seed=*/3);
  const RowGroups groups = thirds(900);
  const PairWeight weight{Kernel::heat, 20.0, 0.0};
  const auto sums = [&](test::Storage storage, int threads) {
    const ThreadLimit limit(threads);
    return kernel_sums(StoredSample({x}, storage).problem().matrix, groups, weight);
  };
  const PairSums one = sums(test::Storage::dense_double, 1);
  for (const int threads : {1, 2, 3}) {
    const PairSums other = sums(test::Storage::csr_double, threads);
    EXPECT_EQ(one.differences, other.differences);
    EXPECT_EQ(one.degrees, other.degrees);
    EXPECT_EQ(one.squared_weight, other.squared_weight);
  }
}

TEST(Graph, SumsEdgesWithinGroupsAsIfTheyWereListed) {
  const test::Dense x = test::random_table(90, 6, /*seed=*/4);
  const StoredSample stored({x});
  const MatrixView& matrix = stored.problem().matrix;
  for (const Kernel kernel : {Kernel::heat, Kernel::binary})
    for (const BandwidthUnit unit :
         {BandwidthUnit::mean_distance, BandwidthUnit::mean_edge, BandwidthUnit::absolute}) {
      const GraphOptions options{.kernel = kernel, .bandwidth = 0.3, .bandwidth_unit = unit};
      GraphEdits listed;
      for (const std::vector<Index>& rows : thirds(90))
        for (std::size_t b = 0; b < rows.size(); ++b)
          for (std::size_t a = 0; a < b; ++a) listed.added.push_back({rows[a], rows[b]});
      Diagnostics of_list;
      const Graph expected = similarity_graph(matrix, options, listed, {}, of_list);
      Diagnostics of_groups;
      const Graph graph = similarity_graph(matrix, options, {.joined = thirds(90)}, {}, of_groups);
      test::expect_scores_near(degrees(graph), degrees(expected), 1e-12);
      EXPECT_EQ(of_groups.edges, of_list.edges);
      EXPECT_NEAR(*of_groups.effective_edges, *of_list.effective_edges, 1e-7);
      EXPECT_EQ(of_groups.warnings, of_list.warnings);
    }
}

}  // namespace
}  // namespace tamis
