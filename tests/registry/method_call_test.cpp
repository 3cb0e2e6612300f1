#include "registry/method_call.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::string complaint(const std::string& text) {
  return message_of<InvalidArgument>([&] { parse_method_call(text); });
}

TEST(MethodCall, ReadsAMethodByItsName) {
  const RankingPlan call = parse_method_call("variance");
  EXPECT_EQ(call.method->info.name, "variance");
  EXPECT_TRUE(call.options.empty());
}

TEST(MethodCall, ReadsOptionsInBothSpellings) {
  const RankingPlan call = parse_method_call("cls:n_neighbors=5,bandwidth-unit=absolute");
  EXPECT_EQ(call.method->info.name, "cls");
  EXPECT_EQ(call.options, (OptionTexts{{"n_neighbors", "5"}, {"bandwidth_unit", "absolute"}}));
}

TEST(MethodCall, RefusesAnUnknownMethodAndSuggestsANearOne) {
  EXPECT_EQ(complaint("varianec"), "there is no method 'varianec'; did you mean 'variance'?");
}

TEST(MethodCall, RefusesWhatIsNotAnOptionWithItsValue) {
  EXPECT_EQ(complaint("cls:"), "'' in 'cls:' is not option=value");
  EXPECT_EQ(complaint("cls:form"), "'form' in 'cls:form' is not option=value");
  EXPECT_EQ(complaint("cls:=sum"), "'=sum' in 'cls:=sum' is not option=value");
  EXPECT_EQ(complaint("cls:form=sum,"), "'' in 'cls:form=sum,' is not option=value");
  EXPECT_EQ(complaint("cls:form=sum,form=pairs"), "'cls:form=sum,form=pairs' gives form twice");
}

TEST(MethodCall, RefusesOptionsThatTheMethodRefuses) {
  EXPECT_EQ(complaint("cls:n_neighbors=0"), "cls: n_neighbors = 0 must be >= 1");
  EXPECT_EQ(complaint("variance:k=1"), "variance has no option 'k'; it takes none");
}

TEST(MethodCall, ReadsWhatGoesAroundAMethod) {
  const RankingPlan call = parse_method_call("cls:bagging=5,diversify=50,n_neighbors=3");
  EXPECT_EQ(call.bagging->n_members, 5);
  EXPECT_EQ(call.diversify->n_candidates, 50);
  EXPECT_EQ(call.options, (OptionTexts{{"n_neighbors", "3"}}));
  EXPECT_EQ(complaint("cls:diversify=0"), "cls:diversify=0: diversify = 0 must be >= 1");
  EXPECT_EQ(complaint("cls:bagging=many"), "cls:bagging=many: bagging = 'many' is not an integer");
  EXPECT_TRUE(complaint("csfsr:diversify=9").starts_with("diversify: csfsr removes what repeats"));
}

TEST(MethodCall, OfAProjectionFitsAsManyComponentsAsAreAskedFor) {
  const test::StoredSample stored(test::blobs(20, 6, 3, /*seed=*/1));
  EXPECT_EQ(projector_of("ssdr:variant=cm")(stored.problem(), 2, {}).components.rows, 2);
  EXPECT_EQ(projector_of("ssdr:n_components=3")(stored.problem(), 2, {}).components.rows, 3);
  EXPECT_FALSE(projector_of("variance"));
  EXPECT_EQ(message_of<InvalidArgument>([] { projector_of("pca:alpha=1"); }),
            "pca has no option 'alpha'; it takes n_components");
  EXPECT_EQ(complaint("pca"),
            "pca is a projection: it makes new features of all columns, and ranks none");
}

TEST(MethodCall, PiecesBetweenCommasBecomeCallsAgain) {
  EXPECT_EQ(
      method_calls({"cls:n_neighbors=5", "form=ensemble", "lsdf:gamma=10", "variance"}),
      (std::vector<std::string>{"cls:n_neighbors=5,form=ensemble", "lsdf:gamma=10", "variance"}));
  EXPECT_EQ(method_calls({"form=ensemble"}), std::vector<std::string>{"form=ensemble"});
}

TEST(MethodCall, ARankerKnowsItsOptions) {
  const std::vector<double> values{1, 5, 2, 1, 3, 9, 4, 2};
  const Problem problem{.matrix = DenseView<double>(values.data(), 4, 2)};
  EXPECT_EQ(ranker_of("variance")(problem, {}).order, (std::vector<Index>{1, 0}));
  EXPECT_EQ(message_of<InvalidArgument>([] { ranker_of("cls:n_neighbors=0"); }),
            "cls: n_neighbors = 0 must be >= 1");
}

TEST(MethodCall, FollowsThePaperOfTheMethodWhereItGivesNoOption) {
  const RankingPlan call = parse_method_call("cls:settings=paper,bandwidth=2");
  EXPECT_EQ(call.options,
            (OptionTexts{{"bandwidth", "2"}, {"bandwidth_unit", "absolute"}, {"condense", "som"}}));
  EXPECT_EQ(parse_method_call("cls:settings=default").options, OptionTexts{});
  EXPECT_EQ(parse_method_call("fisher_score:settings=paper").options, OptionTexts{});
  EXPECT_EQ(complaint("cls:settings=book"),
            "cls:settings=book: settings = 'book' is not one of default, paper");
}

TEST(MethodCall, FollowingThePaperSaysSoIfThePaperSetsAnything) {
  EXPECT_EQ(following_paper("cls"), "cls:settings=paper");
  EXPECT_EQ(following_paper("cls:n_neighbors=5"), "cls:n_neighbors=5,settings=paper");
  EXPECT_EQ(following_paper("bcs"), "bcs:settings=paper");
  for (const std::string same : {"cls:settings=default", "fisher_score", "pca"})
    EXPECT_EQ(following_paper(same), same);
}

TEST(MethodCall, TellsItsOptionsAndWhetherItNeedsClasses) {
  const NamedValues values = options_of("cls:settings=paper");
  const auto bandwidth =
      std::ranges::find(values, std::string("bandwidth"), &NamedValues::value_type::first);
  ASSERT_NE(bandwidth, values.end());
  EXPECT_EQ(to_text(bandwidth->second), "0.1");
  EXPECT_EQ(to_text(options_of("ssdr:alpha=3")[2].second), "3");
  EXPECT_TRUE(needs_classes("fisher_score"));
  for (const std::string call : {"cls", "constraint_score", "pca", "rca"})
    EXPECT_FALSE(needs_classes(call)) << call;
}

TEST(MethodCall, GetsOptionsThatItHasAndDoesNotGive) {
  const std::vector<OptionSetting> restarts{{"restarts", "20"}};
  EXPECT_EQ(with_options("l2gfs", restarts), "l2gfs:restarts=20");
  EXPECT_EQ(with_options("wckm:beta=2", restarts), "wckm:beta=2,restarts=20");
  for (const std::string same : {"l2gfs:restarts=5", "l2gfs:settings=paper", "cls", "pca"})
    EXPECT_EQ(with_options(same, restarts), same);
}

TEST(MethodCall, LetsMembersVoteOnlyWhereClassesArePredicted) {
  EXPECT_TRUE(ranker_of("bcs:vote=true"));
  EXPECT_EQ(complaint("bcs:vote=true"),
            "bcs: vote = true is about predicting classes, and a ranking predicts none; evaluate "
            "the method");
  EXPECT_EQ(complaint("csfsr:base=bcs:vote=true").substr(0, 31), "csfsr: base: bcs: vote = true i");
  EXPECT_TRUE(parse_method_call("bcs:settings=paper").options.empty());
  EXPECT_EQ(parse_method_call("bcs:settings=paper", /*lets_vote=*/true).options,
            (OptionTexts{{"vote", "true"}}));
  EXPECT_EQ(message_of<InvalidArgument>([] { ranker_of("bcs:vote=true,bagging=5"); }),
            "bcs: vote = true leaves nothing to bag: its members go by their own rankings");
  EXPECT_EQ(message_of<InvalidArgument>([] { ranker_of("bcs:vote=true,diversify=5"); }),
            "bcs: vote = true leaves nothing to diversify: its members go by their own rankings");
}

TEST(MethodCall, FindsTheMethodByWhichAnotherRanksFirst) {
  const RankingPlan pruned = parse_method_call("csfsr:h=9");
  EXPECT_EQ(base_call(pruned), "csfs");
  EXPECT_EQ(base_of(pruned)->name(), "csfs");
  EXPECT_FALSE(base_of(parse_method_call("csfs")));
  EXPECT_EQ(parse_base(pruned.method->info, "cls:n_neighbors=7").options,
            (OptionTexts{{"n_neighbors", "7"}}));
  EXPECT_EQ(message_of<InvalidArgument>([&] { parse_base(pruned.method->info, "fcbf"); }),
            "csfsr: base: fcbf chooses a subset itself; name a method that ranks all features");
}

TEST(MethodCall, SaysWhatItBeginsWithInTheSameWordsForAllThatBeginAlike) {
  const std::string plain = first_ranking_of("csfs");
  for (const char* const alike :
       {"csfsr", "csfsr:h=9", "csfs:diversify=20", "csfsr:base=csfs:n_neighbors=10"})
    EXPECT_EQ(first_ranking_of(alike), plain) << alike;
  for (const char* const other : {"cls", "csfs:n_neighbors=9", "csfsr:base=csfs:n_neighbors=9",
                                  "csfs:bagging=5", "csfsr:bagging=5", "csfsr:base=cls"})
    EXPECT_NE(first_ranking_of(other), plain) << other;
  EXPECT_NE(first_ranking_of("csfsr:bagging=5"), first_ranking_of("csfs:bagging=5"));
  EXPECT_EQ(first_ranking_of("pca"), "");
}

TEST(MethodCall, AsksForTheRankingThatItBeginsWith) {
  const test::StoredSample stored(test::blobs(20, 6, 3, /*seed=*/1));
  for (const std::string call : {"variance", "csfsr:base=variance", "variance:diversify=3"}) {
    std::vector<std::string> asked;
    tamis::Run run{.seed = 1};
    run.recall = [&](const std::string& words, const std::function<Ranking()>& rank) {
      asked.push_back(words);
      return rank();
    };
    EXPECT_EQ(ranker_of(call)(stored.problem(), run).order,
              ranker_of(call)(stored.problem(), {.seed = 1}).order);
    EXPECT_EQ(asked.back(), first_ranking_of(call));
    EXPECT_EQ(std::ranges::count(asked, first_ranking_of(call)), 1);
  }
}

TEST(MethodCall, DiversifiesByTheRanksOfTheMethod) {
  EXPECT_EQ(parse_method_call("ridge_omp:ranks=levels,diversify=9").diversify->ranks,
            Ranks::levels);
  EXPECT_EQ(parse_method_call("ridge_omp:diversify=9").diversify->ranks, Ranks::exact);
  EXPECT_EQ(parse_method_call("cls:diversify=9").diversify->ranks, Ranks::exact);
}

}  // namespace
}  // namespace tamis
