#include "learners/distance_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

TEST(DistanceLanes, AddColumnsAndFindTheFirstWithinABound) {
  constexpr Index kRows = 5 * kDistanceLanes;
  const Dense x = random_table(kRows, 7, /*seed=*/1);
  const std::vector<double> point{0.5, 0.1, -0.2, 0.7, -1.1, 0.3, 0.4};
  std::vector<double> distances(kRows, 0.0);
  std::vector<double> expected(kRows, 0.0);
  double least[kDistanceLanes];
  for (const auto& [first_column, n_columns] : {std::pair<Index, Index>{0, 1}, {1, 4}, {5, 2}}) {
    std::vector<double> columns;
    for (Index r = first_column; r < first_column + n_columns; ++r)
      for (Index i = 0; i < kRows; ++i) {
        columns.push_back(x(i, r));
        expected[i] += (x(i, r) - point[r]) * (x(i, r) - point[r]);
      }
    const double smallest = add_squared_differences(
        columns.data(), kRows, std::span(point).subspan(first_column, n_columns), kRows,
        distances.data(), least);
    ASSERT_EQ(distances, expected);
    EXPECT_EQ(smallest, *std::ranges::min_element(expected));
    for (const double bound : {smallest, smallest + 1.0, smallest + 3.0, HUGE_VAL}) {
      const auto first =
          std::ranges::find_if(expected, [&](double distance) { return distance <= bound; });
      EXPECT_EQ(first_at_most(distances.data(), kRows, least, bound), first - expected.begin());
    }
    EXPECT_EQ(first_at_most(distances.data(), kRows, least, 0.9 * smallest), kRows);
  }
}

}  // namespace
}  // namespace tamis::test
