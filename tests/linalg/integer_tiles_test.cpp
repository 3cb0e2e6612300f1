#include "linalg/integer_tiles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

/// Vectors of so many pairs, as rows.
using Vectors = std::vector<std::vector<std::int16_t>>;

Vectors random_vectors(Index pairs, std::int16_t largest, std::uint64_t seed) {
  RandomStream random(seed);
  Vectors vectors(kIntegerTile, std::vector<std::int16_t>(2 * pairs));
  for (auto& vector : vectors)
    for (std::int16_t& value : vector)
      value = static_cast<std::int16_t>(random.below(2 * largest + 1) - largest);
  return vectors;
}

std::vector<std::int32_t> tile_of(const Vectors& vectors, Index pairs) {
  std::vector<std::int32_t> tile(pairs * kIntegerTile);
  for (Index i = 0; i < kIntegerTile; ++i)
    for (Index p = 0; p < pairs; ++p)
      std::memcpy(&tile[p * kIntegerTile + i], &vectors[i][2 * p], sizeof(std::int32_t));
  return tile;
}

void expect_products(const Vectors& a, const Vectors& b, Index pairs, Index rows = kIntegerTile) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(testing::Message() << pairs << " pairs, " << name_of(target));
    const TargetLimit limit(target);
    std::array<std::int32_t, kIntegerTile * kIntegerTile> out;
    multiply_integer_tiles(tile_of(a, pairs).data(), rows, tile_of(b, pairs).data(), pairs,
                           out.data());
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < kIntegerTile; ++j) {
        std::int64_t sum = 0;
        for (Index c = 0; c < 2 * pairs; ++c) sum += std::int64_t{a[i][c]} * b[j][c];
        ASSERT_EQ(out[i * kIntegerTile + j], sum) << i << ", " << j;
      }
  }
}

TEST(IntegerTiles, AreMultipliedExactlyOnEveryTarget) {
  for (const Index pairs : {0, 1, 2, 127, 128, 129, 300})
    expect_products(random_vectors(pairs, 1800, 1), random_vectors(pairs, 1800, 2), pairs);
}

TEST(IntegerTiles, AreMultipliedAsFarAsNeeded) {
  const Vectors a = random_vectors(200, 1800, 3);
  for (const Index rows : {1, 7, 8, 9, 47}) expect_products(a, a, 200, rows);
}

TEST(IntegerTiles, HoldTheLargestSumsThatFit) {
  Vectors largest(kIntegerTile, {32767, 32766});
  expect_products(largest, largest, 1);
  for (Index i = 0; i < kIntegerTile; i += 2)
    for (std::int16_t& value : largest[i]) value = static_cast<std::int16_t>(-value);
  expect_products(largest, largest, 1);
}

}  // namespace
}  // namespace tamis
