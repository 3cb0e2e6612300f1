#include "constraints/closure.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Adds what one step of either rule implies until nothing is new.
PairConstraints naive_closure(Index n, const PairConstraints& pairs) {
  test::RowMatrix must(n);
  test::RowMatrix cannot(n);
  for (const RowPair& pair : pairs.must_link) must.set(pair.first, pair.second, 1.0);
  for (const RowPair& pair : pairs.cannot_link) cannot.set(pair.first, pair.second, 1.0);
  for (Index round = 0; round < n; ++round)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        for (Index h = 0; h < n; ++h) {
          if (i != h && must(i, j) > 0.0 && must(j, h) > 0.0) must.set(i, h, 1.0);
          if (must(i, j) > 0.0 && cannot(j, h) > 0.0) cannot.set(i, h, 1.0);
        }
  PairConstraints closed;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) {
      if (must(i, j) > 0.0) closed.must_link.push_back({i, j});
      if (cannot(i, j) > 0.0) closed.cannot_link.push_back({i, j});
    }
  return closed;
}

TEST(Closure, EqualsTheRulesAppliedUntilNothingIsNew) {
  constexpr Index kRows = 14;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed);
    PairConstraints pairs;  // rows of equal parity may be linked, others parted
    for (int s = 0; s < 9; ++s) {
      const std::vector<Index> drawn = random.sample(kRows, 2);
      auto& list = (drawn[0] + drawn[1]) % 2 == 0 ? pairs.must_link : pairs.cannot_link;
      list.push_back({drawn[0], drawn[1]});
    }
    const PairConstraints closed = closure(pairs, kRows, {});
    const PairConstraints expected = naive_closure(kRows, pairs);
    EXPECT_EQ(closed.must_link, expected.must_link);
    EXPECT_EQ(closed.cannot_link, expected.cannot_link);
  }
}

TEST(Closure, OfAClosureIsTheSame) {
  const PairConstraints once =
      closure({.must_link = {{4, 0}, {0, 2}}, .cannot_link = {{2, 5}, {5, 1}}}, 6, {});
  const PairConstraints twice = closure(once, 6, {});
  EXPECT_EQ(once.must_link, twice.must_link);
  EXPECT_EQ(once.cannot_link, twice.cannot_link);
}

TEST(Closure, RefusesACannotLinkInsideAMustLinkComponentNamingItsRows) {
  const PairConstraints pairs{.must_link = {{0, 1}, {1, 2}}, .cannot_link = {{2, 0}}};
  EXPECT_EQ(message_of<DataError>([&] { closure(pairs, 3, {}); }),
            "rows 2 and 0 contradict: a cannot-link parts them, but must-links put them together");
}

TEST(Closure, OfNothingIsNothing) {
  const PairConstraints closed = closure({}, 3, {});
  EXPECT_TRUE(closed.must_link.empty() && closed.cannot_link.empty());
}

}  // namespace
}  // namespace tamis
