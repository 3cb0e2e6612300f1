#include "clustering/ward/held_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

constexpr Index kCols = 100;
constexpr Index kRow = 2;

/// A row, and a point at about such a distance from it in each column.
struct Pair {
  std::vector<float> row;
  std::vector<double> point;
};
Pair random_pair(double offset, double apart) {
  RandomStream random(11);
  Pair pair;
  for (Index r = 0; r < kCols; ++r) {
    pair.row.push_back(static_cast<float>(offset + random.normal()));
    pair.point.push_back(static_cast<double>(pair.row.back()) + apart * random.normal());
  }
  return pair;
}

HeldPoints holding(const Pair& pair) {
  HeldPoints held(/*rows=*/4, std::vector<float>(kCols, 0.0F), /*most=*/2);
  held.hold(kRow, pair.row.data(), pair.point.data());
  return held;
}

std::vector<float> written(const HeldPoints& held, const Pair& pair) {
  std::vector<float> out(kCols);
  held.write(kRow, pair.row.data(), 0, kCols, out.data());
  return out;
}

double distance(const std::vector<float>& a, const std::vector<double>& b) {
  double squared = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r)
    squared += (static_cast<double>(a[r]) - b[r]) * (static_cast<double>(a[r]) - b[r]);
  return std::sqrt(squared);
}

TEST(HeldPoints, AreAsFarFromWhatWasGivenAsTheySay) {
  for (const double offset : {0.0, 1e3, 1e30})
    for (const double apart : {0.0, 1e-6, 1.0, 1e5}) {
      SCOPED_TRACE("offset " + std::to_string(offset) + ", apart " + std::to_string(apart));
      const Pair pair = random_pair(offset, apart);
      const HeldPoints held = holding(pair);
      EXPECT_DOUBLE_EQ(held.error(kRow), distance(written(held, pair), pair.point));
    }
}

TEST(HeldPoints, AreNearEnoughHoweverNearTheyAreToTheirRow) {
  for (const double apart : {1e-2, 1.0, 1e3}) {
    const Pair pair = random_pair(/*offset=*/1e3, apart);
    const HeldPoints held = holding(pair);
    EXPECT_LT(held.error(kRow), 2e-3 * distance(pair.row, pair.point)) << apart;
    EXPECT_EQ(held.needs_row(kRow), apart < 1e3) << apart;
  }
}

TEST(HeldPoints, AreWrittenInPartsOnEveryCpu) {
  const Pair pair = random_pair(/*offset=*/5.0, /*apart=*/1e-3);
  const HeldPoints held = holding(pair);
  const std::vector<float> whole = written(held, pair);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    std::vector<float> parts(kCols);
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 64}, {64, kCols}})
      held.write(kRow, pair.row.data() + begin, begin, end, parts.data() + begin);
    EXPECT_EQ(parts, whole) << name_of(target);
  }
}

TEST(HeldPoints, AreOnlySoMany) {
  const Pair pair = random_pair(0.0, 1.0);
  HeldPoints held(/*rows=*/4, std::vector<float>(kCols, 0.0F), /*most=*/2);
  const auto hold = [&](Index row) { held.hold(row, pair.row.data(), pair.point.data()); };
  for (const Index row : {0, 1, 2}) hold(row);
  EXPECT_TRUE(held.holds(1));
  EXPECT_FALSE(held.holds(2));
  held.release(0);
  hold(2);
  EXPECT_FALSE(held.holds(0));
  EXPECT_TRUE(held.holds(2));
}

TEST(HeldPoints, SayOfWhatFloatsCannotHoldThatNothingIsKnown) {
  Pair pair = random_pair(0.0, 1.0);
  pair.row[3] = std::numeric_limits<float>::infinity();  // of a double
  pair.point[3] = 1e300;
  EXPECT_FALSE(std::isfinite(holding(pair).error(kRow)));
}

}  // namespace
}  // namespace tamis
