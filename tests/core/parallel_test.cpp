#include "tamis/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Pieces = std::vector<std::pair<Index, Index>>;

Pieces pieces_of(Index n, Index grain, int threads) {
  const ThreadLimit limit(threads);
  std::mutex mutex;
  Pieces pieces;
  parallel_for(n, grain, [&](Index begin, Index end) {
    const std::scoped_lock lock(mutex);
    pieces.emplace_back(begin, end);
  });
  std::ranges::sort(pieces);
  return pieces;
}

TEST(ParallelFor, CutsTheRangeAtMultiplesOfTheGrain) {
  EXPECT_EQ(pieces_of(10, 4, 2), (Pieces{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(pieces_of(8, 4, 2), (Pieces{{0, 4}, {4, 8}}));
  EXPECT_EQ(pieces_of(3, 100, 2), (Pieces{{0, 3}}));
}

TEST(ParallelFor, CutsTheSamePiecesForEveryNumberOfThreads) {
  const Pieces alone = pieces_of(1'000, 7, 1);
  EXPECT_EQ(pieces_of(1'000, 7, 3), alone);
  EXPECT_EQ(pieces_of(1'000, 7, 0), alone);
}

TEST(ParallelFor, NeverCallsTheBodyOfAnEmptyRange) { EXPECT_TRUE(pieces_of(0, 4, 2).empty()); }

TEST(ParallelFor, MayBeNested) {
  std::atomic<Index> visits = 0;
  parallel_for(10, 1, [&](Index, Index) {
    parallel_for(20, 3, [&](Index begin, Index end) { visits += end - begin; });
  });
  EXPECT_EQ(visits, 200);
}

TEST(ParallelFor, RethrowsWhatTheBodyThrows) {
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    EXPECT_THROW(parallel_for(100, 1,
                              [](Index begin, Index) {
                                if (begin == 37) throw Interrupted("stop");
                              }),
                 Interrupted);
  }
}

/// The pieces take long enough for every thread that may join to do so.
std::set<std::thread::id> threads_of_a_loop() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(100, 1, [&](Index, Index) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen;
}

TEST(ThreadLimit, OfOneKeepsTheLoopOnTheCallingThread) {
  const ThreadLimit limit(1);
  EXPECT_EQ(threads_of_a_loop(), std::set{std::this_thread::get_id()});
}

TEST(ThreadLimit, IsNotExceeded) {
  const ThreadLimit limit(2);
  EXPECT_LE(threads_of_a_loop().size(), 2U);
}

TEST(ThreadLimit, EndsWithItsScope) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  { const ThreadLimit limit(1); }
  EXPECT_GT(threads_of_a_loop().size(), 1U);
}

}  // namespace
}  // namespace tamis
