#include "graphs/candidate_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kPositions = 160;
/// A short list, which is always in order, and a long one.
constexpr Index kKeeps[] = {5, 70};
constexpr Index kStripe = 8;

/// Every ordered pair of positions, with keys of which many are equal.
std::vector<Hit> all_hits() {
  RandomStream random(1);
  std::vector<Hit> hits;
  for (std::uint32_t left = 0; left < kPositions; ++left)
    for (std::uint32_t right = 0; right < kPositions; ++right)
      if (left != right)
        hits.push_back({left, right, static_cast<float>(std::floor(10.0 * random.uniform()))});
  return hits;
}

using Others = std::vector<std::pair<float, Index>>;

Others naive_best(const std::vector<Hit>& hits, Index position, Index keep) {
  Others others;
  for (const Hit& hit : hits)
    if (hit.left == position) others.emplace_back(hit.key, hit.right);
  std::ranges::sort(others);
  others.resize(keep);
  return others;
}

Others best_of(CandidatePool& pool, Index position) {
  Others others;
  for (const auto& [other, key] : pool.best(position)) others.emplace_back(key, other);
  std::ranges::sort(others);
  return others;
}

TEST(CandidatePool, KeepsTheBestByKeyThenPositionWhateverTheOrderOfOffers) {
  std::vector<Hit> hits = all_hits();
  for (const auto& [keep, is_backwards] :
       {std::pair{kKeeps[0], false}, {kKeeps[0], true}, {kKeeps[1], false}, {kKeeps[1], true}}) {
    CandidatePool pool(kPositions, keep, kStripe);
    for (Index left = 0; left < kPositions; ++left) {
      std::vector<Hit> of_left(hits.begin() + left * (kPositions - 1),
                               hits.begin() + (left + 1) * (kPositions - 1));
      if (is_backwards) std::ranges::reverse(of_left);
      pool.offer(of_left);
    }
    for (Index position = 0; position < kPositions; ++position) {
      const Others best = best_of(pool, position);
      EXPECT_EQ(best, naive_best(hits, position, keep)) << position;
      EXPECT_GE(pool.limit(position), best.back().first);
    }
  }
}

TEST(CandidatePool, TakesTheSameFromReversedHits) {
  std::vector<Hit> hits = all_hits();
  for (const Index keep : kKeeps) {
    CandidatePool pool(kPositions, keep, kStripe);
    for (Index first = 0; first < kPositions; first += kStripe) {
      std::vector<Hit> reversed;
      for (const Hit& hit : hits)
        if (hit.left / kStripe == first / kStripe)
          reversed.push_back({hit.right, hit.left, hit.key});
      pool.offer_reversed(reversed);
    }
    for (Index position = 0; position < kPositions; ++position)
      EXPECT_EQ(best_of(pool, position), naive_best(hits, position, keep)) << position;
  }
}

TEST(CandidatePool, KeepsTheSameFromManyThreads) {
  const std::vector<Hit> hits = all_hits();
  for (const Index keep : kKeeps) {
    CandidatePool pool(kPositions, keep, kStripe);
    parallel_for(std::ssize(hits), 7, [&](Index begin, Index end) {
      pool.offer(std::span(hits).subspan(begin, end - begin));
    });
    for (Index position = 0; position < kPositions; ++position)
      EXPECT_EQ(best_of(pool, position), naive_best(hits, position, keep)) << position;
  }
}

TEST(CandidatePool, HasNoLimitUntilSomethingIsThrownOut) {
  CandidatePool pool(kPositions, /*keep=*/5, kStripe);
  pool.offer(std::vector<Hit>{{3, 1, 0.5F}, {3, 2, 0.25F}});
  EXPECT_EQ(pool.limit(3), HUGE_VALF);
  EXPECT_EQ(best_of(pool, 3), (Others{{0.25F, 2}, {0.5F, 1}}));
  EXPECT_TRUE(pool.best(4).empty());
}

}  // namespace
}  // namespace tamis
