#include "plan/ranking_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

RankingPlan plan_of(const std::string& method) { return {.method = &find_method(method)}; }

TEST(RankingPlan, AutoIsTheMethodThatWeWouldTake) {
  EXPECT_EQ(plan_of("auto").name(), kAutomaticMethod);
}

TEST(RankingPlan, GoesAsFarAsFeaturesAreWanted) {
  RankingPlan plan = plan_of("ridge_omp");
  plan.wanted.count = 70;
  EXPECT_EQ(completed(plan).options.at("n_greedy"), "70");
  plan.wanted.count = 7;
  EXPECT_FALSE(completed(plan).options.contains("n_greedy"));
  plan.options.emplace("n_greedy", "5");
  plan.wanted.count = 70;
  EXPECT_EQ(completed(plan).options.at("n_greedy"), "5");
}

TEST(RankingPlan, CountsFeaturesWhereItCan) {
  RankingPlan plan = plan_of("ridge_omp");
  plan.wanted.judged = Judged::backed;
  EXPECT_NO_THROW(completed(plan));
  plan.bagging = BaggingOptions{.n_members = 3};
  EXPECT_THROW(completed(plan), InvalidArgument);
  plan.diversify = DiversifyOptions{};
  EXPECT_EQ(completed(plan).diversify->relevance.fdr, 0.1);
  plan.options.emplace("fdr", "0.3");
  EXPECT_EQ(completed(plan).diversify->relevance.fdr, 0.3);
  plan = plan_of("csfsr");
  plan.wanted.judged = Judged::backed;
  EXPECT_NO_THROW(completed(plan)) << "its subset is its own number";
  plan.wanted.judged = Judged::relevant;
  EXPECT_THROW(completed(plan), InvalidArgument);
}

TEST(RankingPlan, DrawsWhereTheMethodOrWhatGoesAroundItDoes) {
  EXPECT_FALSE(plan_of("variance").draws());
  EXPECT_TRUE(plan_of("ridge_omp").draws());
  RankingPlan plan = plan_of("variance");
  plan.bagging = BaggingOptions{.n_members = 3};
  EXPECT_TRUE(plan.draws());
  plan = plan_of("variance");
  plan.diversify = DiversifyOptions{};
  EXPECT_TRUE(plan.draws());
  EXPECT_FALSE(plan_of("variance").draws_in_runs());
  EXPECT_FALSE(plan_of("cls").draws());
  EXPECT_TRUE(plan_of("cls").draws_in_runs()) << "the map begins with rows that are drawn";
}

TEST(RankingPlan, CountsNothingIfNothingIsJudged) {
  RankingPlan plan = plan_of("ridge_omp");
  plan.options.emplace("fdr", "1");
  EXPECT_NO_THROW(completed(plan));
  plan.wanted.judged = Judged::relevant;
  EXPECT_EQ(message_of<InvalidArgument>([&] { completed(plan); }),
            "top = relevant: no feature is judged if fdr = 1");
}

TEST(RankingPlan, RefusesWhatTheMethodCannotDo) {
  RankingPlan plan = plan_of("variance");
  plan.wanted.judged = Judged::backed;
  EXPECT_THROW(completed(plan), InvalidArgument);
  plan = plan_of("csfsr");
  plan.diversify = DiversifyOptions{};
  EXPECT_THROW(completed(plan), InvalidArgument);
  plan = plan_of("cls");
  plan.options.emplace("no_such_option", "1");
  EXPECT_THROW(completed(plan), InvalidArgument);
}

/// Column 0 tells the classes apart in nearly every bootstrap. Column 1 is 0 but for one row of the
/// second class: a bootstrap with no other row of that class has no variance within classes, and an
/// infinite Fisher score.
test::Sample rarely_without_variance() {
  test::Sample sample{.x = test::Dense(10, 2)};
  for (Index i = 0; i < 10; ++i) {
    sample.labels.push_back(i / 5);
    sample.x(i, 0) = 3.0 * static_cast<double>(i / 5) + 0.5 * static_cast<double>(i % 5);
  }
  sample.x(5, 1) = 1.0;
  return sample;
}

TEST(RankingPlan, NoSingleBootstrapDecidesABaggedRanking) {
  const test::StoredSample stored(rarely_without_variance());
  RankingPlan plan = plan_of("fisher_score");
  plan.bagging = BaggingOptions{.n_members = 1000, .combine = Combine::mean};
  const Ranking by_mean = plan.rank(stored.problem());
  ASSERT_EQ(by_mean.order.front(), 1);
  ASSERT_EQ(by_mean.scores[1], HUGE_VAL);
  ASSERT_LT(by_mean.committee->best_share[1], 0.02);

  plan.bagging = BaggingOptions{.n_members = 1000};
  const Ranking by_default = plan.rank(stored.problem());
  EXPECT_EQ(by_default.order.front(), 0);
  EXPECT_EQ(by_default.better, Better::lower);
  EXPECT_LT(by_default.scores[0], 0.02);
}

TEST(RankingPlan, SelectsExactlyAsManyAsAreWanted) {
  RankingPlan plan = plan_of("variance");
  Ranking ranking{.scores = {3, 1, 2}, .order = {0, 2, 1}, .better = Better::higher};
  EXPECT_EQ(plan.selected(ranking), std::nullopt);
  plan.wanted.count = 2;
  EXPECT_EQ(plan.selected(ranking), (std::vector<Index>{0, 2}));
  plan.wanted.count = 9;
  EXPECT_EQ(plan.selected(ranking)->size(), 3u);
  plan.wanted = {.judged = Judged::backed};
  ranking.relevance = Relevance{.fdr = 0.1, .q = {0.2, kUndefined, 0.1}, .n_backed = 0};
  EXPECT_EQ(plan.selected(ranking), std::vector<Index>{}) << "maybe none";
  ranking.relevance->n_backed = 1;
  EXPECT_EQ(plan.selected(ranking), (std::vector<Index>{0}));
  plan.wanted = {.judged = Judged::relevant};
  EXPECT_EQ(plan.selected(ranking), (std::vector<Index>{2}));
  ranking.subset = {2};
  plan.wanted = {};
  EXPECT_EQ(plan.selected(ranking), ranking.subset);
}

}  // namespace
}  // namespace tamis
