#include "cli/console/pace.hpp"

#include <gtest/gtest.h>

namespace tamis::cli {
namespace {

/// What is said in the first `steps` of `total` that take so many seconds each, and when.
std::vector<std::pair<Index, std::string>> said(Index steps, Index total, double seconds_each) {
  std::vector<std::pair<Index, std::string>> lines;
  Pace pace(0.0);
  for (Index done = 1; done <= steps; ++done) {
    pace.step("members", done, total, static_cast<double>(done) * seconds_each);
    if (auto line = pace.announcement()) lines.emplace_back(done, std::move(*line));
  }
  return lines;
}

using Lines = std::vector<std::pair<Index, std::string>>;

TEST(Pace, SaysNothingOfShortWork) {
  EXPECT_EQ(said(10, 10, 0.9), Lines{});
  EXPECT_EQ(said(9000, 9000, 0.001), Lines{});
}

TEST(Pace, AnnouncesLongWorkOnceAsSoonAsItIsSeen) {
  EXPECT_EQ(said(200, 200, 1.25),
            (Lines{{1, "members: 1 of 200 done, about 4 min left (1.2 s each so far)"}}));
  EXPECT_EQ(said(1000, 1000, 0.02),
            (Lines{{50, "members: 50 of 1000 done, about 19 s left (0.02 s each so far)"}}));
  EXPECT_EQ(said(3, 3, 4000.0),
            (Lines{{1, "members: 1 of 3 done, about 2 h left (4e+03 s each so far)"}}));
}

TEST(Pace, GivesTheShareOfTinySteps) {
  EXPECT_EQ(said(400'000, 400'000, 1e-4).front().second, "members: 2 % done, about 39 s left");
}

TEST(Pace, KnowsEachStageByItself) {
  Pace pace(0.0);
  pace.step("neighbours", 1, 2, 3.0);
  EXPECT_FALSE(pace.announcement());
  pace.step("neighbours", 2, 2, 6.0);
  EXPECT_FALSE(pace.announcement()) << "it is done";
  pace.step("members", 1, 100, 6.5);
  EXPECT_FALSE(pace.announcement()) << "half a second is too little to tell";
  pace.step("members", 2, 100, 7.0);
  EXPECT_EQ(pace.announcement(), "members: 2 of 100 done, about 49 s left (0.5 s each so far)");
  EXPECT_DOUBLE_EQ(pace.seconds(), 7.0);
  EXPECT_DOUBLE_EQ(pace.share(), 0.02);
}

TEST(TimeLeft, IsInTheUnitThatPeopleWouldUse) {
  EXPECT_EQ(time_left(0.2), "about 1 s left");
  EXPECT_EQ(time_left(119.0), "about 119 s left");
  EXPECT_EQ(time_left(600.0), "about 10 min left");
  EXPECT_EQ(time_left(3600.0 * 5), "about 5 h left");
}

}  // namespace
}  // namespace tamis::cli
