#include "constraints/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(DisjointSets, StartApartAndStayTogetherOnceJoined) {
  DisjointSets sets(5);
  EXPECT_FALSE(sets.together(0, 1));
  EXPECT_TRUE(sets.join(0, 1));
  EXPECT_TRUE(sets.join(3, 4));
  EXPECT_TRUE(sets.join(4, 1));
  EXPECT_TRUE(sets.together(0, 3));
  EXPECT_FALSE(sets.together(0, 2));
}

TEST(DisjointSets, SayWhenAJoinChangesNothing) {
  DisjointSets sets(3);
  sets.join(0, 1);
  sets.join(1, 2);
  EXPECT_FALSE(sets.join(2, 0));
  EXPECT_FALSE(sets.join(1, 1));
}

}  // namespace
}  // namespace tamis
