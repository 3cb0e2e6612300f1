#include "core/simd.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.hpp"

namespace tamis {
namespace {

TEST(ForEachMarked, VisitsTheMarkedInTheirOrder) {
  RandomStream random(4);
  for (const Index n : {0, 1, 7, 8, 31, 32, 33, 64, 100, 257})
    for (const double share : {0.0, 0.02, 0.5, 1.0}) {
      std::vector<unsigned char> marks(n + kMarksBeyond,
                                       1);  // what follows the last does not count
      std::vector<Index> expected;
      for (Index l = 0; l < n; ++l) {
        marks[l] = random.uniform() < share ? 1 : 0;
        if (marks[l] == 1) expected.push_back(l);
      }
      std::vector<Index> visited;
      for_each_marked(marks.data(), n, [&](Index l) { visited.push_back(l); });
      EXPECT_EQ(visited, expected) << n << ", " << share;
    }
}

}  // namespace
}  // namespace tamis
