#include "evaluation/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

RunResult run_of(const std::string& data, const std::string& method, Index run,
                 std::vector<double> accuracy) {
  RunResult result{.data_set = data, .labels_per_class = 3, .run = run, .method = method};
  for (Index k = 1; k <= std::ssize(accuracy); ++k) result.lengths.push_back(k);
  result.views = {{Viewpoint::transfer, accuracy, accuracy}};
  result.mean_correlation.assign(accuracy.size(), 0.5);
  result.cpu_seconds = static_cast<double>(run + 1);
  result.peak_memory_bytes = 100 - run;
  return result;
}

ExperimentResults results_of(std::vector<std::string> data_sets, std::vector<std::string> methods) {
  ExperimentResults results{
      .facts = {
          .version = "", .command = "", .seed = 0, .protocol = "", .methods = std::move(methods)}};
  for (std::string& name : data_sets)
    results.facts.data_sets.push_back(
        {.name = std::move(name), .file = "", .hash = "", .rows = 10, .features = 10});
  return results;
}

TEST(Summary, HasTheMeansAndDeviationsOfACalculationByHand) {
  ExperimentResults results = results_of({"d"}, {"m", "random"});
  results.runs = {run_of("d", "m", 1, {0.2, 0.8, 0.9}), run_of("d", "m", 0, {0.4, 0.6, 0.7}),
                  run_of("d", "m", 2, {0.3, 0.7, 0.8})};
  results.runs[0].features = {0, 1, 2};
  results.runs[1].features = {2, 1, 0};
  results.runs[2].features = {0, 1, 2};
  const Summary summary = summarize(results);
  ASSERT_EQ(summary.data_sets.size(), 1U);
  ASSERT_EQ(summary.data_sets[0].methods.size(), 1U);
  const MethodSummary& method = summary.data_sets[0].methods[0];
  const std::vector<double> means{0.3, 0.7, 0.8};
  for (std::size_t place = 0; place < means.size(); ++place) {
    EXPECT_NEAR(method.curve.mean[place], means[place], 1e-12);
    EXPECT_NEAR(method.curve.deviation[place], 0.1, 1e-12);
  }
  EXPECT_EQ(method.curve.runs, 3);
  // 0.8 - 0.1 / sqrt(3) = 0.742 lies above 0.7.
  EXPECT_EQ(method.curve.one_error_choice, 3);
  ASSERT_EQ(method.per_run.size(), 3U);
  EXPECT_NEAR(method.per_run[0], 1.7 / 3.0, 1e-12);
  EXPECT_NEAR(method.per_run[1], 1.9 / 3.0, 1e-12);
  EXPECT_NEAR(method.per_run[2], 0.6, 1e-12);
  EXPECT_NEAR(method.mean, 0.6, 1e-12);
  EXPECT_NEAR(method.deviation, 1.0 / 30.0, 1e-12);
  EXPECT_DOUBLE_EQ(method.mean_correlation, 0.5);
  EXPECT_DOUBLE_EQ(method.cpu_seconds, 2.0);
  EXPECT_EQ(method.peak_memory_bytes, std::int64_t{100});
  ASSERT_TRUE(method.stability);
  EXPECT_DOUBLE_EQ(method.stability->nogueira, 1.0);
  EXPECT_EQ(method.stability->set_size, 3);
}

TEST(Summary, ChoosesTheFewestFeaturesWithinOneStandardErrorOfTheBest) {
  ExperimentResults results = results_of({"d"}, {"m"});
  results.runs = {run_of("d", "m", 0, {0.1, 0.70, 0.9, 0.7}),
                  run_of("d", "m", 1, {0.1, 0.75, 0.7, 0.7})};
  // The best mean is 0.8 at 3, its error sqrt(0.02) / sqrt(2) = 0.1; 0.725 at 2 lies within.
  EXPECT_EQ(summarize(results).data_sets[0].methods[0].curve.one_error_choice, 2);
}

TEST(Summary, RanksMethodsOverDataSets) {
  ExperimentResults results = results_of({"d", "e", "f"}, {"good", "random", "bad"});
  for (const DataSetFacts& data : results.facts.data_sets)
    for (Index run = 0; run < 5; ++run) {
      const double noise = 0.01 * static_cast<double>((run * 7) % 5);
      results.runs.push_back(run_of(data.name, "good", run, {0.9 + noise}));
      results.runs.push_back(run_of(data.name, "random", run, {0.5}));
      results.runs.push_back(run_of(data.name, "bad", run, {0.5 - noise + 0.02}));
    }
  const Summary summary = summarize(results);
  ASSERT_EQ(summary.comparisons.size(), 1U);
  const Comparison& comparison = summary.comparisons[0];
  EXPECT_EQ(comparison.methods, (std::vector<std::string>{"good", "random", "bad"}));
  ASSERT_TRUE(comparison.friedman);
  EXPECT_EQ(comparison.friedman->average_ranks, (std::vector<double>{1.0, 2.5, 2.5}));
  // q_0.05 of three methods is 2.343; sqrt(3 * 4 / (6 * 3)) = 0.8165.
  EXPECT_NEAR(comparison.friedman->critical_difference_05, 2.343 * std::sqrt(12.0 / 18.0), 1e-3);
  ASSERT_EQ(comparison.win_tie_loss.size(), 9U);
  EXPECT_EQ(comparison.win_tie_loss[1], (WinTieLoss{3, 0, 0}));
  EXPECT_EQ(comparison.win_tie_loss[7], (WinTieLoss{0, 3, 0}));
  ASSERT_EQ(comparison.against_random.size(), 3U);
  EXPECT_EQ(comparison.against_random[0].wins, 3);
  EXPECT_TRUE(summary.data_sets[0].methods[0].beats_random());
  EXPECT_FALSE(summary.data_sets[0].methods[1].beats_random());
  EXPECT_FALSE(summary.data_sets[0].methods[2].beats_random());
}

TEST(Summary, ComparesOnlyRunsThatAllMethodsFinished) {
  ExperimentResults results = results_of({"d", "e"}, {"m", "random", "broken"});
  for (const std::string data : {"d", "e"})
    for (Index run = 0; run < 4; ++run) {
      const double noise = 0.01 * static_cast<double>(run);
      results.runs.push_back(run_of(data, "m", run, {0.8 + noise}));
      results.runs.push_back(run_of(data, "random", run, {0.5}));
      RunResult broken = run_of(data, "broken", run, {0.6 + noise});
      if (data == "e" || run == 0) {
        broken.lengths = {};
        broken.views = {};
        broken.failure = "it broke";
      }
      results.runs.push_back(std::move(broken));
    }
  const Summary summary = summarize(results);
  EXPECT_EQ(summary.data_sets[0].methods[2].failures, 1);
  EXPECT_EQ(summary.data_sets[0].methods[2].curve.runs, 3);
  EXPECT_TRUE(summary.data_sets[0].methods[2].beats_random());
  EXPECT_EQ(summary.data_sets[1].methods[2].failures, 4);
  EXPECT_TRUE(std::isnan(summary.data_sets[1].methods[2].mean));
  EXPECT_EQ(summary.comparisons[0].methods, (std::vector<std::string>{"m", "random"}));
  EXPECT_EQ(summary.comparisons[0].win_tie_loss[1], (WinTieLoss{2, 0, 0}));
}

TEST(Summary, OfASingleRunTestsNothing) {
  ExperimentResults results = results_of({"d"}, {"m", "random"});
  results.runs = {run_of("d", "m", 0, {0.9}), run_of("d", "random", 0, {0.5})};
  const Summary summary = summarize(results);
  EXPECT_EQ(summary.data_sets[0].methods[0].deviation, 0.0);
  EXPECT_FALSE(summary.data_sets[0].methods[0].beats_random());
  EXPECT_FALSE(summary.comparisons[0].friedman);
  EXPECT_TRUE(summary.comparisons[0].win_tie_loss.empty());
}

TEST(Summary, KeepsViewsAndNumbersOfLabelsApart) {
  ExperimentResults results = results_of({"d"}, {"m"});
  results.runs = {run_of("d", "m", 0, {0.9}), run_of("d", "m", 0, {0.8})};
  results.runs[1].labels_per_class = 5;
  results.runs[1].views.push_back({Viewpoint::realistic, {0.3}, {0.3}});
  const Summary summary = summarize(results);
  ASSERT_EQ(summary.data_sets.size(), 3U);
  EXPECT_EQ(summary.data_sets[0].methods[0].mean, 0.9);
  EXPECT_EQ(summary.data_sets[1].methods[0].mean, 0.8);
  EXPECT_EQ(summary.data_sets[2].view, Viewpoint::realistic);
  EXPECT_EQ(summary.data_sets[2].methods[0].mean, 0.3);
}

TEST(Summary, RefusesRunsOfDifferentLengths) {
  ExperimentResults results = results_of({"d"}, {"m"});
  results.runs = {run_of("d", "m", 0, {0.9}), run_of("d", "m", 1, {0.8, 0.9})};
  EXPECT_EQ(message_of<DataError>([&] { summarize(results); }),
            "runs 0 and 1 of m on d tried different numbers of features");
}

TEST(Summary, TellsWorseFromNotShownToDifferByTheCorrectedTest) {
  ExperimentResults results = results_of({"d"}, {"good", "bad", "open", "random"});
  results.facts.settings = {{"split", std::string("fraction")}, {"train_share", 0.5}};
  for (Index run = 0; run < 10; ++run) {
    const double noise = 0.01 * static_cast<double>(run % 3);
    results.runs.push_back(run_of("d", "good", run, {0.9 + noise}));
    results.runs.push_back(run_of("d", "bad", run, {0.2 - noise}));
    results.runs.push_back(run_of("d", "open", run, {0.505 + noise}));
    results.runs.push_back(run_of("d", "random", run, {0.5}));
  }
  const std::vector<MethodSummary> methods = summarize(results).data_sets[0].methods;
  EXPECT_EQ(methods[0].against_random->finding, Finding::better);
  EXPECT_EQ(methods[1].against_random->finding, Finding::worse);
  EXPECT_FALSE(methods[3].against_random);
  // The plain test, which takes the ten runs for independent, would call this one better.
  const AgainstRandom& open = *methods[2].against_random;
  EXPECT_EQ(open.finding, Finding::not_shown);
  EXPECT_EQ(open.runs, 10);
  EXPECT_NEAR(open.difference.mean, 0.014, 1e-12);
  // The deviation of the runs is sqrt(6.9 / 9) / 100, and t_0.975 of 9 degrees 2.26216.
  const double error = std::sqrt(6.9 / 9.0) / 100.0 * std::sqrt(1.0 / 10.0 + 1.0);
  EXPECT_NEAR(open.difference.high - open.difference.mean, 2.26215716 * error, 1e-9);
}

TEST(Summary, MeasuresStabilityAndCorrelationAtTheChosenNumberOfFeatures) {
  ExperimentResults results = results_of({"d"}, {"m"});
  for (Index run = 0; run < 3; ++run) {
    results.runs.push_back(run_of("d", "m", run, {0.5, 0.9, 0.4}));
    results.runs.back().features = {0, 1, 5 + run};  // the third differs
    results.runs.back().mean_correlation = {0.0, 0.25, 0.75};
  }
  const MethodSummary method = summarize(results).data_sets[0].methods[0];
  EXPECT_EQ(method.curve.one_error_choice, 2);
  EXPECT_EQ(method.stability->set_size, 2);
  EXPECT_DOUBLE_EQ(method.stability->nogueira, 1.0);
  EXPECT_DOUBLE_EQ(method.mean_correlation, 0.25);
}

TEST(Summary, GivesRandomFeaturesNeitherTimeNorMemory) {
  ExperimentResults results = results_of({"d"}, {"m", "random"});
  results.runs = {run_of("d", "m", 0, {0.9}), run_of("d", "random", 0, {0.5})};
  const MethodSummary random = summarize(results).data_sets[0].methods[1];
  EXPECT_TRUE(std::isnan(random.cpu_seconds));
  EXPECT_FALSE(random.peak_memory_bytes);
}

TEST(Summary, KeepsNumbersOfConstraintsApart) {
  ExperimentResults results = results_of({"d"}, {"m", "random"});
  for (const Index constraints : {5, 10})
    for (const Index run : {0, 1})
      for (const std::string method : {"m", "random"}) {
        results.runs.push_back(run_of("d", method, run, {constraints == 5 ? 0.25 : 0.75}));
        results.runs.back().n_constraints = constraints;
      }
  const Summary summary = summarize(results);
  ASSERT_EQ(summary.data_sets.size(), 2U);
  ASSERT_EQ(summary.comparisons.size(), 2U);
  for (const std::size_t place : {0U, 1U}) {
    const Index constraints = place == 0 ? 5 : 10;
    EXPECT_EQ(summary.data_sets[place].n_constraints, constraints);
    EXPECT_EQ(summary.comparisons[place].n_constraints, constraints);
    EXPECT_DOUBLE_EQ(summary.data_sets[place].methods[0].mean, place == 0 ? 0.25 : 0.75);
    EXPECT_EQ(summary.data_sets[place].methods[0].curve.runs, 2);
  }
}

TEST(Summary, TellsHowWellClustersAgreeWithClasses) {
  ExperimentResults results = results_of({"d"}, {"m", "random"});
  results.runs = {run_of("d", "m", 0, {0.5, 0.5}), run_of("d", "m", 1, {0.5, 0.5}),
                  run_of("d", "random", 0, {0.5, 0.5})};
  results.runs[0].kmeans = KmeansResult{{0.5, 0.75}, {0.0, 0.5}, {0.25, 0.25}};
  results.runs[1].kmeans = KmeansResult{{0.75, 1.0}, {0.5, 1.0}, {0.75, 0.75}};
  const Summary summary = summarize(results);
  const auto& kmeans = summary.data_sets[0].methods[0].kmeans;
  ASSERT_TRUE(kmeans);
  EXPECT_DOUBLE_EQ(kmeans->rand.mean, 0.75);
  EXPECT_EQ(kmeans->rand.mean_by_length, (std::vector<double>{0.625, 0.875}));
  EXPECT_DOUBLE_EQ(kmeans->adjusted_rand.mean, 0.5);
  EXPECT_NEAR(kmeans->adjusted_rand.deviation, std::sqrt(0.125), 1e-12);
  EXPECT_EQ(kmeans->nmi.mean_by_length, (std::vector<double>{0.5, 0.5}));
  EXPECT_FALSE(summary.data_sets[0].methods[1].kmeans);
}

}  // namespace
}  // namespace tamis
