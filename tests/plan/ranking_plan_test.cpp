#include "plan/ranking_plan.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Index share(double percent, Index n_features) {
  const Method method{
      .info = {}, .options = {}, .rank = nullptr, .resolve = [](const OptionTexts&) {
        return NamedValues{};
      }};
  const RankingPlan plan{.method = &method, .wanted = {.percent = percent}};
  return for_features(plan, n_features).wanted.count.value();
}

TEST(RankingPlan, TakesAShareOfTheFeaturesRoundedUp) {
  for (Index percent = 1; percent <= 100; ++percent)
    for (const Index n : {1, 7, 100, 1000, 20'531})
      EXPECT_EQ(share(static_cast<double>(percent), n), (percent * n + 99) / 100)
          << percent << " % of " << n;
  EXPECT_EQ(share(0.1, 1000), 1);
  EXPECT_EQ(share(1.1, 1000), 11);
  EXPECT_EQ(share(1e-9, 5), 1) << "at least one";
}

TEST(RankingPlan, ReadsShares) {
  EXPECT_EQ(parse_percent("rank", "top", "5%"), 5.0);
  EXPECT_EQ(parse_percent("rank", "top", "0.25%"), 0.25);
  EXPECT_EQ(parse_percent("rank", "top", "5"), std::nullopt);
  for (const char* const text : {"0%", "150%", "x%", "%", "-1%", "5%%", "nan%", "1e9%"})
    EXPECT_EQ(message_of<InvalidArgument>([&] { parse_percent("rank", "top", text); }),
              std::string("rank: top = '") + text +
                  "' is no share of the features: it must be more than 0% and at most 100%");
}

}  // namespace
}  // namespace tamis
