#include "redundancy/correlation.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "naive_correlation.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Dense;
using test::StoredSample;

std::vector<PositionPair> all_pairs(Index count) {
  std::vector<PositionPair> pairs;
  for (Index a = 0; a < count; ++a)
    for (Index b = 0; b < a; ++b) pairs.push_back({a, b});
  return pairs;
}

double correlation_of(const Dense& x, Index a, Index b) {
  const StoredSample stored({x});
  const std::vector<Index> columns{a, b};
  const std::vector<PositionPair> pair{{0, 1}};
  return absolute_correlations(stored.problem().matrix, columns, pair)[0];
}

TEST(AbsoluteCorrelations, MatchTheFormulaInEveryStorage) {
  const std::vector<Index> columns{6, 0, 3, 5, 1};
  for (const Index rows : {2, 3, 33, 384, 385, 900})
    for (const auto make : {test::random_table, test::sparse_table, test::integer_table})
      for (const test::Storage storage : test::kStorages) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << test::name_of(storage));
        const Dense x = make(rows, 7, /*seed=*/1);
        const StoredSample stored({x}, storage);
        const auto pairs = all_pairs(5);
        const auto found = absolute_correlations(stored.problem().matrix, columns, pairs);
        for (std::size_t k = 0; k < pairs.size(); ++k)
          EXPECT_NEAR(found[k],
                      test::naive_correlation(x, columns[pairs[k].first], columns[pairs[k].second]),
                      1e-13);
      }
}

TEST(AbsoluteCorrelations, AreExactlyOneForCopiesAndNegatives) {
  for (const Index rows : {2, 7, 100, 1000}) {
    Dense x = test::random_table(rows, 4, /*seed=*/2);
    for (Index i = 0; i < rows; ++i) {
      x(i, 1) = x(i, 0);
      x(i, 2) = -x(i, 0);
      x(i, 3) = 8.0 * x(i, 0);
    }
    for (Index r = 1; r < 4; ++r) EXPECT_EQ(correlation_of(x, 0, r), 1.0) << rows << " " << r;
  }
}

TEST(AbsoluteCorrelations, AreEqualWithEachOfTwoCopies) {
  Dense x = test::random_table(500, 3, /*seed=*/3);
  for (Index i = 0; i < x.rows; ++i) x(i, 1) = -x(i, 0);
  EXPECT_EQ(correlation_of(x, 0, 2), correlation_of(x, 1, 2));
  EXPECT_EQ(correlation_of(x, 0, 2), correlation_of(x, 2, 0));
}

TEST(AbsoluteCorrelations, TieExactlyWhereIntegersDo) {
  Dense x(1000, 4);
  const std::vector<Index> order = RandomStream(/*seed=*/1).sample(1000, 1000);
  for (Index i = 0; i < 1000; ++i) {
    x(i, 0) = i < 30 ? 1.0 : 0.0;
    x(i, 1) = i >= 20 && i < 70 ? 1.0 : 0.0;
    x(order[i], 2) = x(i, 0);
    x(order[i], 3) = x(i, 1);
  }
  EXPECT_EQ(correlation_of(x, 0, 1), correlation_of(x, 2, 3));
}

TEST(AbsoluteCorrelations, AreZeroForConstantColumns) {
  Dense x = test::random_table(50, 3, /*seed=*/4);
  for (Index i = 0; i < 50; ++i) {
    x(i, 0) = 0.1;  // unlike 2, it leaves rounding behind
    x(i, 1) = 1e300;
  }
  EXPECT_EQ(correlation_of(x, 0, 2), 0.0);
  EXPECT_EQ(correlation_of(x, 1, 2), 0.0);
  EXPECT_EQ(correlation_of(x, 0, 1), 0.0);
}

TEST(AbsoluteCorrelations, KeepTheirDigitsForLargeOffsetsAndAnyScale) {
  const Dense x = test::random_table(200, 2, /*seed=*/5);
  const double expected = test::naive_correlation(x, 0, 1);
  for (const double scale : {1e-300, 1e-20, 1.0, 1e150, 1e300}) {
    Dense y = x;
    for (Index i = 0; i < 200; ++i) y(i, 0) *= scale;
    EXPECT_NEAR(correlation_of(y, 0, 1), expected, 1e-13) << scale;
  }
  Dense y = x;
  for (Index i = 0; i < 200; ++i) y(i, 0) += 1e6;
  EXPECT_NEAR(correlation_of(y, 0, 1), test::naive_correlation(y, 0, 1), 1e-13);
}

TEST(RedundancyRate, IsHalfTheMeanOverAllPairs) {
  for (const Index h : {2, 3, 70, 150}) {
    const Dense x = test::random_table(40, h, /*seed=*/6);
    const StoredSample stored({x});
    double sum = 0.0;
    for (const auto& [a, b] : all_pairs(h)) sum += test::naive_correlation(x, a, b);
    const std::vector<Index> columns = all_indices(h);
    const auto pairs = static_cast<double>(h * (h - 1));
    EXPECT_NEAR(redundancy_rate(stored.problem().matrix, columns), sum / pairs, 1e-12);
    EXPECT_NEAR(mean_absolute_correlation(stored.problem().matrix, columns), 2 * sum / pairs,
                1e-12);
  }
}

TEST(RedundancyRate, IsZeroForFewerThanTwoColumnsAndAHalfForCopies) {
  Dense x = test::random_table(40, 2, /*seed=*/7);
  for (Index i = 0; i < 40; ++i) x(i, 1) = x(i, 0);
  const StoredSample stored({x});
  EXPECT_EQ(redundancy_rate(stored.problem().matrix, {}), 0.0);
  EXPECT_EQ(redundancy_rate(stored.problem().matrix, std::vector<Index>{1}), 0.0);
  EXPECT_EQ(redundancy_rate(stored.problem().matrix, std::vector<Index>{0, 1}), 0.5);
}

TEST(RedundancyRate, CountsEveryPairOfManyColumns) {
  const StoredSample stored({test::random_table(2, 3000, /*seed=*/9)});  // two rows: |rho| = 1
  EXPECT_NEAR(redundancy_rate(stored.problem().matrix, all_indices(3000)), 0.5, 1e-12);
}

TEST(RedundancyRate, DoesNotDependOnTheNumberOfThreads) {
  const StoredSample stored({test::random_table(500, 90, /*seed=*/8)});
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return redundancy_rate(stored.problem().matrix, all_indices(90));
  };
  EXPECT_EQ(run(1), run(3));
}

}  // namespace
}  // namespace tamis
