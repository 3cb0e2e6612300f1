#include "tamis/core/progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

TEST(Progress, SaysNothingByDefault) {
  const Progress silent;
  Progress::Stage(silent, "scores", 3).advance();
}

TEST(Progress, ReportsTheStageAndItsStepsSoFar) {
  std::vector<std::tuple<std::string, Index, Index>> reports;
  const Progress progress([&](std::string_view stage, Index done, Index total) {
    reports.emplace_back(stage, done, total);
  });
  Progress::Stage stage(progress, "neighbours", 10);
  stage.advance();
  stage.advance(4);
  EXPECT_EQ(reports, (decltype(reports){{"neighbours", 1, 10}, {"neighbours", 5, 10}}));
}

TEST(Progress, CountsStepsFromAllThreadsWithoutLosingOne) {
  std::vector<Index> seen;  // no lock: the sink is never called by two threads at once
  const Progress progress([&](std::string_view, Index done, Index) { seen.push_back(done); });
  Progress::Stage stage(progress, "rows", 500);
  parallel_for(500, 1, [&](Index, Index) { stage.advance(); });
  ASSERT_EQ(seen.size(), 500U);
  for (Index s = 0; s < 500; ++s) EXPECT_EQ(seen[s], s + 1);
}

TEST(Progress, LetsTheSinkEndAParallelLoop) {
  const Progress progress([](std::string_view, Index done, Index) {
    if (done == 5) throw Interrupted("interrupted");
  });
  Progress::Stage stage(progress, "rows", 1'000);
  EXPECT_THROW(parallel_for(1'000, 1, [&](Index, Index) { stage.advance(); }), Interrupted);
}

TEST(Progress, SharesItsSinkWithItsCopies) {
  Index calls = 0;
  const Progress original([&](std::string_view, Index, Index) { ++calls; });
  const Progress copy = original;  // NOLINT(performance-unnecessary-copy-initialization)
  Progress::Stage(original, "a", 1).advance();
  Progress::Stage(copy, "b", 1).advance();
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace tamis
