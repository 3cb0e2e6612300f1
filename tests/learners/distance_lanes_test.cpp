#include "learners/distance_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

TEST(DistanceLanes, AddColumnsAndFindTheFirstWithinABound) {
  constexpr Index kRows = 5 * kDistanceLanes;
  const Dense x = integer_table(kRows, 4, /*seed=*/1);
  std::vector<double> distances(kRows, 0.0);
  std::vector<double> expected(kRows, 0.0);
  double least[kDistanceLanes];
  for (Index r = 0; r < 4; ++r) {
    std::vector<double> column;
    for (Index i = 0; i < kRows; ++i) column.push_back(x(i, r));
    const double smallest =
        add_squared_differences(column.data(), 0.5, kRows, distances.data(), least);
    for (Index i = 0; i < kRows; ++i) expected[i] += (x(i, r) - 0.5) * (x(i, r) - 0.5);
    ASSERT_EQ(distances, expected);
    EXPECT_EQ(smallest, *std::ranges::min_element(expected));
    for (const double bound : {smallest, smallest + 1.0, smallest + 3.0, HUGE_VAL}) {
      const auto first =
          std::ranges::find_if(expected, [&](double distance) { return distance <= bound; });
      EXPECT_EQ(first_at_most(distances.data(), kRows, least, bound), first - expected.begin());
    }
    EXPECT_EQ(first_at_most(distances.data(), kRows, least, smallest - 0.1), kRows);
  }
}

}  // namespace
}  // namespace tamis::test
