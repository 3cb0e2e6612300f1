#include "levels/row_permutation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace tamis {
namespace {

TEST(RowPermutation, HasEveryPlaceOnce) {
  for (const Index n : {1, 2, 3, 16, 17, 1000, 4097})
    for (const std::uint64_t stream : {1, 2}) {
      const RowPermutation permuted(n, 5, stream);
      std::set<Index> places;
      for (Index i = 0; i < n; ++i) places.insert(permuted(i));
      EXPECT_EQ(std::ssize(places), n);
      EXPECT_EQ(*places.begin(), 0);
      EXPECT_EQ(*places.rbegin(), n - 1);
    }
}

TEST(RowPermutation, LooksLikeChance) {
  // Over many permutations of ten places every one goes everywhere, and neighbours part.
  constexpr Index kMany = 20'000;
  std::vector<Index> at(100, 0);
  Index neighbours = 0;
  for (Index k = 0; k < kMany; ++k) {
    const RowPermutation permuted(10, 3, static_cast<std::uint64_t>(k));
    for (Index i = 0; i < 10; ++i) ++at[i * 10 + permuted(i)];
    neighbours += permuted(1) == permuted(0) + 1 ? 1 : 0;
  }
  at.push_back(neighbours);
  for (const Index count : at) EXPECT_LE(std::abs(count - kMany / 10), 250);
}

}  // namespace
}  // namespace tamis
