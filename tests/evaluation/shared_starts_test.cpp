#include "evaluation/shared_starts.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Ranking ranking_of(double score) {
  return rank_features({score}, Better::higher, {}, "no columns");
}

class SharedStartsTest : public testing::Test {
 protected:
  Ranking made(const SharedStarts::Key& key) {
    return starts_.ranking(
        key, [&] { return ranking_of(static_cast<double>(++n_made_)); },
        [&](const Cost& cost) { charged_.push_back(cost); });
  }

  SharedStarts starts_;
  Index n_made_ = 0;
  std::vector<Cost> charged_;
};

TEST_F(SharedStartsTest, MakesEachRankingOnceAndChargesTheOthersForIt) {
  const SharedStarts::Key key{"a", false, std::nullopt};
  EXPECT_EQ(made(key).scores, std::vector{1.0});
  EXPECT_TRUE(charged_.empty()) << "who makes it measures it";
  EXPECT_EQ(made(key).scores, std::vector{1.0});
  EXPECT_EQ(made(key).scores, std::vector{1.0});
  EXPECT_EQ(n_made_, 1);
  ASSERT_EQ(charged_.size(), 2U);
  EXPECT_GT(charged_[0].cpu_seconds, 0.0);
  EXPECT_GT(charged_[0].wall_seconds, 0.0);
  EXPECT_EQ(charged_[0].cpu_seconds, charged_[1].cpu_seconds);
}

TEST_F(SharedStartsTest, TellsApartWhatIsRankedAndWhatIsSeen) {
  for (const SharedStarts::Key& key : {SharedStarts::Key{"a", false, std::nullopt},
                                       {"b", false, std::nullopt},
                                       {"a", true, std::nullopt},
                                       {"a", false, 5},
                                       {"a", false, 6}})
    made(key);
  EXPECT_EQ(n_made_, 5);
}

TEST_F(SharedStartsTest, ForgetsAFailure) {
  const SharedStarts::Key key{"a", false, std::nullopt};
  const auto fail = [&]() -> Ranking { throw DataError("not today"); };
  EXPECT_EQ(message_of<DataError>([&] { starts_.ranking(key, fail, [](const Cost&) {}); }),
            "not today");
  EXPECT_EQ(made(key).scores, std::vector{1.0});
}

}  // namespace
}  // namespace tamis
