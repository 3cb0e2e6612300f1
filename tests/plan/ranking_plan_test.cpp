#include "plan/ranking_plan.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/sample.hpp"
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

/// Whether the method is told that it may forget the table, if its ranking is all that is wanted.
bool may_forget(const MethodInfo& info, const RankingPlan& given = {}) {
  bool may = false;
  const Method method{.info = info,
                      .options = {},
                      .rank =
                          [&](const Problem& problem, const OptionTexts&, const Run& run) {
                            may = may || run.forget;
                            return rank_features(std::vector<double>(problem.cols(), 1.0),
                                                 Better::higher, {}, "no scores");
                          },
                      .resolve = [](const OptionTexts&) { return NamedValues{}; }};
  RankingPlan plan = given;
  plan.method = &method;
  const test::StoredSample stored(test::blobs(30, 4, /*per_class=*/5, /*seed=*/1));
  plan.rank(stored.problem(), {.forget = [](Index, Index) {}});
  return may;
}

TEST(RankingPlan, LetsAMethodForgetTheTableThatNobodyReadsAfterIt) {
  const MethodInfo info{.name = "method",
                        .title = "",
                        .supervision = Supervision::unsupervised,
                        .needs = Needs::nothing,
                        .reference = ""};
  EXPECT_TRUE(may_forget(info));
  EXPECT_FALSE(may_forget(info, {.bagging = BaggingOptions{.n_members = 2}}));
  EXPECT_FALSE(may_forget(info, {.diversify = DiversifyOptions{}}));
  MethodInfo measures = info;
  measures.measures_distances = true;
  EXPECT_FALSE(may_forget(measures)) << "the units of columns are looked at afterwards";
  MethodInfo begins = info;
  begins.base_option = "base";
  EXPECT_FALSE(may_forget(begins)) << "it looks at the table after the method that it begins with";
}

}  // namespace
}  // namespace tamis
