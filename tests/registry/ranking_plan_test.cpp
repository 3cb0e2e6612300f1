#include "plan/ranking_plan.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
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
