#include "clustering/nearest_center.hpp"

#include <cmath>

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
