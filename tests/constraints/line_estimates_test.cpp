#include "constraints/line_estimates.hpp"

#include <cmath>
#include <limits>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

constexpr double kApart = 1e-12;

TEST(RowDistances, AreThoseOfTheTable) {
  const StoredSample stored({random_table(20, 30, /*seed=*/1)});
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> rows{1, 4, 5, 11, 19};
  const RowDistances distances(x, rows);
  for (Index a = 0; a < std::ssize(rows); ++a) {
    EXPECT_EQ(distances.place_of(rows[a]), a);
    for (Index b = 0; b < std::ssize(rows); ++b)
      EXPECT_EQ(distances(a, b), a == b ? 0.0 : squared_distance(x, rows[a], rows[b]));
  }
}

TEST(LineEstimate, IsWithinItsErrorOfTheDefinition) {
  constexpr Index kCols = 700;
  const Dense x = random_table(40, kCols, /*seed=*/2);
  for (Index row = 2; row < 40; ++row) {
    long double along = 0.0L;
    long double length = 0.0L;
    double from_first = 0.0;
    double from_second = 0.0;
    for (Index c = 0; c < kCols; ++c) {
      const long double direction = x(1, c) - x(0, c);
      along += (x(row, c) - x(0, c)) * direction;
      length += direction * direction;
      from_first += std::pow(x(row, c) - x(0, c), 2.0);
      from_second += std::pow(x(row, c) - x(1, c), 2.0);
    }
    const LineEstimate estimate =
        estimate_on_line(from_first, static_cast<double>(length), from_second, kCols);
    EXPECT_LE(std::abs(estimate.position - static_cast<double>(along / length)), estimate.error);
    EXPECT_LT(estimate.error, 1e-11);
  }
}

TEST(LineEstimate, IsExactBeyondTheEndsAndOnALineWithoutLength) {
  const auto expect_exact = [](const LineEstimate& estimate, double position) {
    EXPECT_EQ(estimate.position, position);
    EXPECT_EQ(estimate.error, 0.0);
  };
  expect_exact(estimate_on_line(4.0, 1.0, 1.0, 1), 1.0);
  expect_exact(estimate_on_line(1.0, 1.0, 4.0, 1), 0.0);
  expect_exact(estimate_on_line(9.0, 0.0, 9.0, 1), 0.0);
  EXPECT_GT(estimate_on_line(2.0, 1.0, 1.0, 2).error, 0.0);  // at the second end
  EXPECT_TRUE(std::isinf(estimate_on_line(1e308, 1e308, 1e308, 1).error));
  EXPECT_TRUE(std::isinf(estimate_on_line(1.0, 1e-300, 1.0, 1).error));
}

TEST(DoubtfulEstimates, AreThoseThatMayBeAtAnotherOrAtAnEnd) {
  const std::vector<LineEstimate> estimates{{.position = 0.25, .error = 1e-11},
                                            {.position = 1.0},
                                            {.position = 0.5, .error = 1e-11},
                                            {.position = 0.25 + 1e-12, .error = 1e-11},
                                            {.position = 0.0},
                                            {.position = 1.0 - 1e-12, .error = 1e-11},
                                            {.position = 1e-12, .error = 1e-11}};
  EXPECT_EQ(doubtful_estimates(estimates, kApart), (std::vector<Index>{0, 3, 5, 6}));
  const LineEstimate unknown{.error = std::numeric_limits<double>::infinity()};
  EXPECT_EQ(doubtful_estimates(std::vector{estimates[2], unknown}, kApart),
            (std::vector<Index>{0, 1}));
}

}  // namespace
}  // namespace tamis::test
