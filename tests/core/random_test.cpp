#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tamis {
namespace {

TEST(RandomStream, GivesTheSameBitsForeverAndEverywhere) {
  // From a transcription of splitmix64 and xoshiro256** (Blackman, Vigna 2018) in Python integers.
  RandomStream plain(0);
  EXPECT_EQ(plain.bits(), 0xfb5405f7bd79c540U);
  EXPECT_EQ(plain.bits(), 0x780c98e26cea5883U);
  EXPECT_EQ(plain.bits(), 0x2a146e0980febc66U);
  RandomStream member(42, 7);
  EXPECT_EQ(member.bits(), 0x62737c38a122f17bU);
  EXPECT_EQ(member.bits(), 0xea6ebb82a9ba9dafU);
  EXPECT_EQ(member.bits(), 0xd441ca1af7a73d34U);
}

TEST(RandomStream, DiffersBetweenSeedsAndBetweenStreams) {
  std::set<std::uint64_t> first_words;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t stream = 0; stream < 30; ++stream)
      first_words.insert(RandomStream(seed, stream).bits());
  EXPECT_EQ(first_words.size(), 900U);
}

TEST(RandomStream, DrawsUniformNumbersFromTheHalfOpenUnitInterval) {
  RandomStream random(1);
  constexpr int kDraws = 100'000;
  double sum = 0.0;
  for (int s = 0; s < kDraws; ++s) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);  // more than five standard errors
}

TEST(RandomStream, DrawsNormalNumbersWithTheirFourMoments) {
  RandomStream random(2);
  constexpr int kDraws = 200'000;
  double sums[4] = {};
  for (int s = 0; s < kDraws; ++s) {
    const double z = random.normal();
    double power = 1.0;
    for (double& sum : sums) sum += (power *= z);
  }
  EXPECT_NEAR(sums[0] / kDraws, 0.0, 0.012);
  EXPECT_NEAR(sums[1] / kDraws, 1.0, 0.016);
  EXPECT_NEAR(sums[2] / kDraws, 0.0, 0.045);
  EXPECT_NEAR(sums[3] / kDraws, 3.0, 0.12);
}

TEST(RandomStream, DrawsEveryIntegerBelowTheBoundEquallyOften) {
  RandomStream random(3);
  std::vector<int> counts(7);
  for (int s = 0; s < 70'000; ++s) {
    const Index drawn = random.below(7);
    ASSERT_GE(drawn, 0);
    ASSERT_LT(drawn, 7);
    ++counts[drawn];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(RandomStream, HasOnlyZeroBelowOne) { EXPECT_EQ(RandomStream(4).below(1), 0); }

TEST(RandomStream, SamplesDistinctNumbersOfTheRange) {
  RandomStream random(5);
  for (const Index count : {0, 1, 5, 20}) {
    const std::vector<Index> drawn = random.sample(20, count);
    EXPECT_EQ(std::ssize(drawn), count);
    EXPECT_EQ(std::ssize(std::set<Index>(drawn.begin(), drawn.end())), count);
    for (const Index i : drawn) EXPECT_TRUE(0 <= i && i < 20) << i;
  }
}

TEST(RandomStream, SamplesAsIfItShuffledTheWholeRange) {
  constexpr Index kRange = 300;
  for (const Index count : {1, 17, 76, 300}) {
    std::vector<Index> range(kRange);
    std::iota(range.begin(), range.end(), Index{0});
    RandomStream random(8);
    for (Index s = 0; s < count; ++s) std::swap(range[s], range[s + random.below(kRange - s)]);
    range.resize(count);
    EXPECT_EQ(RandomStream(8).sample(kRange, count), range);
  }
}

TEST(RandomStream, SamplesEveryOrderedPairEquallyOften) {
  RandomStream random(6);
  std::vector<int> counts(9);
  for (int s = 0; s < 60'000; ++s) {
    const std::vector<Index> pair = random.sample(3, 2);
    ++counts[3 * pair[0] + pair[1]];
  }
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < 3; ++b) EXPECT_NEAR(counts[3 * a + b], a == b ? 0 : 10'000, 500);
}

TEST(RandomStream, SamplesFromARangeTooLargeToStore) {
  const std::vector<Index> drawn = RandomStream(7).sample(Index{1} << 60, 3);
  EXPECT_EQ(std::set<Index>(drawn.begin(), drawn.end()).size(), 3U);
}

TEST(RandomStream, ShufflesIntoAPermutation) {
  std::vector<Index> items(50);
  std::iota(items.begin(), items.end(), Index{0});
  std::vector<Index> shuffled = items;
  RandomStream(8).shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  EXPECT_TRUE(std::ranges::is_permutation(shuffled, items));
}

TEST(RandomStream, ShufflesNothingWithoutHarm) {
  std::vector<Index> nothing;
  RandomStream(9).shuffle(nothing);
  EXPECT_TRUE(nothing.empty());
}

}  // namespace
}  // namespace tamis
