#include "clustering/nearest_center.hpp"

#include <cmath>

#include "core/cpu.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

void expect_exact(const Dense& x, const Dense& centers) {
  std::vector<Index> expected;
  for (Index i = 0; i < x.rows; ++i) {
    Index best = 0;
    double nearest = HUGE_VAL;
    for (Index z = 0; z < centers.rows; ++z) {
      double distance = 0.0;
      for (Index r = 0; r < x.cols; ++r) distance += std::pow(x(i, r) - centers(z, r), 2);
      if (distance < nearest) {
        nearest = distance;
        best = z;
      }
    }
    expected.push_back(best);
  }
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const NearestCenters found =
          nearest_centers(stored.problem().matrix, all_indices(x.rows), centers.values);
      EXPECT_EQ(found.centers, expected);
      EXPECT_NEAR(found.squared_distances[0],
                  squared_distance(stored.problem().matrix, 0,
                                   std::span(centers.values).subspan(expected[0] * x.cols, x.cols)),
                  0.0);
    }
  }
}

TEST(NearestCenters, EqualPlainLoopsOverAwkwardSizes) {
  for (const Index rows : {1, 7, 256, 300})
    for (const Index cols : {1, 33, 520})
      for (const Index centers : {1, 15, 16, 70})
        expect_exact(random_table(rows, cols, 1), random_table(centers, cols, 2));
}

TEST(NearestCenters, AreFoundOfOneSetOfCentersAfterTheOtherOnEveryTarget) {
  for (const Index n : {40, 300}) {
    const Dense x = random_table(n, 9, 7);
    const StoredSample stored({.x = x});
    const std::vector<Index> rows = all_indices(n);
    const CenterSearch search(stored.problem().matrix, rows, std::vector<double>(x.cols, 0.25));
    for (const std::uint64_t seed : {8, 9}) {
      const Dense centers = random_table(seed == 8 ? 5 : 21, x.cols, seed);
      const NearestCenters expected =
          nearest_centers(stored.problem().matrix, rows, centers.values);
      for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
        const TargetLimit limit(target);
        const NearestCenters found = search.nearest(centers.values);
        EXPECT_EQ(found.centers, expected.centers);
        EXPECT_EQ(found.squared_distances, expected.squared_distances);
      }
    }
  }
}

TEST(NearestCenters, AreMeasuredIfTheyAreTooFarAwayForSinglePrecision) {
  const Dense x = random_table(20, 3, 7);
  const StoredSample stored({.x = x});
  const std::vector<Index> rows = all_indices(x.rows);
  const CenterSearch search(stored.problem().matrix, rows, std::vector<double>(x.cols, 0.5));
  const std::vector<double> far{1e30, 0.0, 0.0, 2e30, 0.0, 0.0};
  for (const Index count : {1, 2}) {
    const NearestCenters found = search.nearest(std::span(far).first(count * x.cols));
    EXPECT_EQ(found.centers, std::vector<Index>(x.rows, 0));
    EXPECT_DOUBLE_EQ(found.squared_distances[0], 1e60);
  }
}

TEST(NearestCenters, BreakTiesByTheLowerCenter) {
  expect_exact(integer_table(300, 3, 3), integer_table(40, 3, 4));
}

TEST(NearestCenters, AreExactFarFromTheOrigin) {
  Dense x = random_table(200, 10, 5);
  Dense centers = random_table(30, 10, 6);
  for (Dense* table : {&x, &centers})
    for (double& value : table->values)
      value = static_cast<double>(static_cast<float>(value + 1e4));
  expect_exact(x, centers);
}

}  // namespace
}  // namespace tamis::test
