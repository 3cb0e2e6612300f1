#include "core/bit_marks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace tamis {
namespace {

TEST(BitMarks, TellWhichNumbersAreAtMostTheBound) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    SCOPED_TRACE(std::string(name_of(target)));
    RandomStream random(4);
    for (const Index n : {0, 1, 15, 63, 64, 65, 200, 256})
      for (const float bound : {-1.0F, 0.02F, 0.5F, 1.0F, kInfinity}) {
        std::vector<float> numbers(n);
        for (float& number : numbers) number = static_cast<float>(random.uniform());
        if (n > 2) {
          numbers[0] = bound;
          numbers[1] = kNaN;
          numbers[n - 1] = kInfinity;
        }
        std::vector<std::uint64_t> words(words_of_marks(n));
        mark_at_most(numbers.data(), n, bound, words.data());
        std::vector<Index> visited;
        for_each_mark(words.data(), n, [&](Index l) { visited.push_back(l); });
        std::vector<Index> expected;
        for (Index l = 0; l < n; ++l)
          if (numbers[l] <= bound) expected.push_back(l);
        EXPECT_EQ(visited, expected) << n << ", " << bound;
      }
  }
}

}  // namespace
}  // namespace tamis
