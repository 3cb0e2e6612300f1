#include "clustering/ward/distance_tile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

constexpr float kAnyDistance = std::numeric_limits<float>::infinity();

double naive_squared_distance(const float* a, const float* b, Index width) {
  double sum = 0.0;
  for (Index r = 0; r < width; ++r) {
    const double difference = static_cast<double>(a[r]) - static_cast<double>(b[r]);
    sum += difference * difference;
  }
  return sum;
}

TEST(DistanceTile, MeasuresAnyNumberOfPointsOnEveryCpu) {
  RandomStream random(7);
  for (const Index width : {kTileStep, 5 * kTileStep})
    for (const Index count : {1, 2, 5}) {
      std::vector<float> values((count + kTileRows) * width);
      for (float& value : values) value = static_cast<float>(random.normal());
      const float* const points = values.data();
      TileRows rows;
      for (Index o = 0; o < kTileRows; ++o) {
        rows.columns[o] = points + (count + o) * width;
        rows.last[o] = rows.columns[o] + width - kTileStep;
      }
      for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
        const TargetLimit limit(target);
        std::vector<float> measured(count * kTileRows, -1.0F);
        const std::vector<float> enough(count, kAnyDistance);
        measure_tile(points, count, rows, width, enough.data(), measured.data());
        for (Index p = 0; p < count; ++p)
          for (Index o = 0; o < kTileRows; ++o) {
            const double expected =
                naive_squared_distance(points + p * width, rows.columns[o], width);
            EXPECT_NEAR(measured[p * kTileRows + o], expected, 1e-5 * expected)
                << name_of(target) << ", width " << width << ", point " << p << ", row " << o;
          }
      }
    }
}

TEST(DistanceTile, SaysNoMoreOfFarRowsThanThatTheyAreFar) {
  constexpr Index kWidth = 12 * kTileStep;
  constexpr Index kCount = 5;
  constexpr float kFar = 100.0F;  // columns 10 apart each
  ASSERT_TRUE(may_stop_early(kWidth));
  std::vector<float> points(kCount * kWidth, 0.0F);
  for (const Index near_row : {Index{-1}, Index{3}}) {
    std::vector<float> values(kTileRows * kWidth, 10.0F);
    TileRows rows;
    for (Index o = 0; o < kTileRows; ++o) {
      rows.columns[o] = values.data() + o * kWidth;
      rows.last[o] = rows.columns[o] + kWidth - kTileStep;
      if (o == near_row) std::fill_n(values.data() + o * kWidth, kWidth, 0.5F);
    }
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      std::vector<float> measured(kCount * kTileRows, -1.0F);
      const std::vector<float> enough(kCount, kFar * kWidth / 3.0F);
      measure_tile(points.data(), kCount, rows, kWidth, enough.data(), measured.data());
      for (Index p = 0; p < kCount; ++p)
        for (Index o = 0; o < kTileRows; ++o) {
          const float found = measured[p * kTileRows + o];
          const bool is_near = o == near_row;
          if (near_row >= 0) {
            EXPECT_FLOAT_EQ(found, (is_near ? 0.25F : kFar) * kWidth);
            continue;
          }
          EXPECT_GE(found, enough[p]) << name_of(target);
          EXPECT_LT(found, kFar * kWidth) << name_of(target);
        }
    }
  }
}

}  // namespace
}  // namespace tamis
