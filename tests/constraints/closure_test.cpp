#include "constraints/closure.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Adds what one step of either rule implies, with the smaller of its two weights, until nothing
/// becomes heavier.
PairConstraints naive_closure(Index n, const PairConstraints& pairs) {
  test::RowMatrix must(n);
  test::RowMatrix cannot(n);
  const auto raise = [](test::RowMatrix& weights, Index i, Index j, double weight) {
    weights.set(i, j, std::max(weights(i, j), weight));
  };
  for (const RowPair& pair : pairs.must_link) raise(must, pair.first, pair.second, pair.weight);
  for (const RowPair& pair : pairs.cannot_link) raise(cannot, pair.first, pair.second, pair.weight);
  for (Index round = 0; round < n; ++round)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        for (Index h = 0; h < n; ++h) {
          if (i != h) raise(must, i, h, std::min(must(i, j), must(j, h)));
          raise(cannot, i, h, std::min(must(i, j), cannot(j, h)));
        }
  PairConstraints closed;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) {
      if (must(i, j) > 0.0) closed.must_link.push_back({i, j, must(i, j)});
      if (cannot(i, j) > 0.0) closed.cannot_link.push_back({i, j, cannot(i, j)});
    }
  return closed;
}

TEST(Closure, EqualsTheRulesAppliedUntilNothingIsNew) {
  constexpr Index kRows = 14;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed);
    PairConstraints pairs;  // rows of equal parity may be linked, others parted
    const Index n_weights = 1 + static_cast<Index>(seed % 5);
    for (Index s = 0; s < 8 + random.below(8); ++s) {
      const std::vector<Index> drawn = random.sample(kRows, 2);
      auto& list = (drawn[0] + drawn[1]) % 2 == 0 ? pairs.must_link : pairs.cannot_link;
      list.push_back({drawn[0], drawn[1], 0.5 * static_cast<double>(random.below(n_weights) + 1)});
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

TEST(Closure, OfSeveralWaysTakesTheOneWhoseLightestPairIsHeaviest) {
  const PairConstraints closed = closure(
      {.must_link = {{0, 1, 0.5}, {0, 2, 3.0}, {2, 1, 2.0}}, .cannot_link = {{3, 1, 9.0}}}, 4, {});
  EXPECT_EQ(closed.must_link, (std::vector<RowPair>{{0, 1, 2.0}, {0, 2, 3.0}, {1, 2, 2.0}}));
  EXPECT_EQ(closed.cannot_link, (std::vector<RowPair>{{0, 3, 2.0}, {1, 3, 9.0}, {2, 3, 2.0}}));
}

TEST(Closure, DropsPairsOfWeight0) {
  const PairConstraints closed = closure(
      {.must_link = {{0, 1}, {1, 2, 0.0}}, .cannot_link = {{0, 1, 0.0}, {2, 3, 0.0}}}, 4, {});
  EXPECT_EQ(closed.must_link, (std::vector<RowPair>{{0, 1}}));
  EXPECT_TRUE(closed.cannot_link.empty());
}

TEST(Closure, OfNothingIsNothing) {
  const PairConstraints closed = closure({}, 3, {});
  EXPECT_TRUE(closed.must_link.empty() && closed.cannot_link.empty());
}

}  // namespace
}  // namespace tamis
