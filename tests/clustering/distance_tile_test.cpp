#include "clustering/ward/distance_tile.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

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
        measure_tile(points, count, rows, width, measured.data());
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

}  // namespace
}  // namespace tamis
