#include "evaluation/findings.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

using Sentences = std::vector<std::string>;

MethodSummary method(std::string name, double mean, std::optional<AgainstRandom> against_random) {
  return {.method = std::move(name),
          .per_run = {mean},
          .mean = mean,
          .against_random = std::move(against_random)};
}

DataSetSummary sample(Index runs) {
  const auto seen = [runs](Finding finding, double difference) {
    return AgainstRandom{.finding = finding,
                         .difference = {difference, difference - 0.1, difference + 0.1},
                         .p_value = 0.5,
                         .runs = runs};
  };
  return {.data_set = "d",
          .methods = {method("one", 0.8, seen(Finding::better, 0.3)),
                      method("two", 0.7, seen(Finding::better, 0.2)),
                      method("three", 0.2, seen(Finding::worse, -0.3)),
                      method("four", 0.51, seen(Finding::not_shown, 0.01)),
                      method("variance", 0.4, seen(Finding::worse, -0.1)),
                      method("random", 0.5, std::nullopt),
                      method("all", 0.75, seen(Finding::better, 0.25))}};
}

TEST(Findings, TellThreeThingsApartAndNameTheBestControl) {
  EXPECT_EQ(findings(sample(20)),
            (Sentences{"Of the methods one (0.800) did best, of the controls all (0.750).",
                       "one and two are better than random features.",
                       "three and variance are worse than random features.",
                       "four (+0.010, -0.090 to +0.110) is not shown to differ from random "
                       "features."}));
}

TEST(Findings, CallFewRunsFew) {
  EXPECT_EQ(findings(sample(9)).back(),
            "9 runs are few: what was not shown may show with more of them.");
  DataSetSummary single = sample(1);
  for (MethodSummary& each : single.methods) each.against_random.reset();
  EXPECT_EQ(findings(single).back(),
            "One run cannot tell whether a method is better than random features.");
  EXPECT_TRUE(findings({.data_set = "d"}).empty());
}

TEST(LimitsOf, SayWhenDataSetsAreTooFewToTell) {
  Comparison comparison{.methods = {"a", "b", "random"}};
  EXPECT_TRUE(limits_of(comparison).empty());
  comparison.friedman = FriedmanTest{.data_sets = 2, .critical_difference_05 = 2.343};
  comparison.against_random.resize(3);
  EXPECT_EQ(limits_of(comparison),
            (Sentences{"2 data sets are too few to tell 3 methods apart by their ranks: no two can "
                       "be 2.343 apart.",
                       "2 data sets are too few for a sign test: even wins on all of them may be "
                       "chance."}));
  comparison.friedman = FriedmanTest{.data_sets = 5, .critical_difference_05 = 1.482};
  EXPECT_TRUE(limits_of(comparison).empty());
}

}  // namespace
}  // namespace tamis
