#include "evaluation/experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.hpp"
#include "evaluation/summary.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Sample;
using test::StoredSample;

Ranking by_scores(std::vector<double> scores) {
  return rank_features(std::move(scores), Better::higher, {}, "no columns");
}

Ranking by_variance(const Problem& problem, const tamis::Run& /*run*/) {
  return by_scores(moments(problem.matrix).squares);
}

/// A method that uses its seed.
Ranking by_chance(const Problem& problem, const tamis::Run& run) {
  RandomStream random(run.seed);
  std::vector<double> scores;
  for (Index r = 0; r < problem.cols(); ++r) scores.push_back(random.uniform());
  return by_scores(std::move(scores));
}

/// Fails where the first labeled row is not of class 0.
Ranking moody(const Problem& problem, const tamis::Run& run) {
  if (problem.known.labels[labeled_rows(problem.known).front()] != 0) throw DataError("not today");
  return by_variance(problem, run);
}

class ExperimentTest : public testing::Test {
 protected:
  ExperimentTest() : one_(sample(1)), two_(sample(2)) {
    experiment_.data_sets = {{.name = "one", .file = "one.csv", .problem = one_.problem()},
                             {.name = "two", .file = "two.csv", .problem = two_.problem()}};
    experiment_.methods = {{.name = "chance", .rank = by_chance}, {.name = "moody", .rank = moody}};
    experiment_.variance = by_variance;
    experiment_.protocol = with_settings({}, {{"runs", "4"}, {"top", "1:4"}});
    experiment_.seed = 5;
  }

  static Sample sample(std::uint64_t seed) {
    Sample sample = test::blobs(36, 6, 0, seed);
    sample.labels.clear();
    for (Index i = 0; i < 36; ++i) sample.labels.push_back(i % 3);
    return sample;
  }

  std::vector<RunResult> run(const std::vector<RunResult>& earlier = {}) const {
    std::vector<RunResult> results;
    run_experiment(experiment_, earlier,
                   {.done = [&](const RunResult& result) { results.push_back(result); }});
    return results;
  }

  StoredSample one_;
  StoredSample two_;
  Experiment experiment_;
};

/// As a line of a results file, without times.
std::vector<std::string> lines(std::vector<RunResult> results) {
  std::vector<std::string> all;
  for (RunResult& result : results) {
    result.wall_seconds = result.cpu_seconds = 0.0;
    result.peak_memory_bytes = 0;
    all.push_back(to_json_line(result));
  }
  return all;
}

TEST_F(ExperimentTest, GivesResultsInOrderWithAllControls) {
  const std::vector<RunResult> results = run();
  std::size_t place = 0;
  for (const std::string data : {"one", "two"})
    for (const Index labels : {3, 5})
      for (Index number = 0; number < 4; ++number)
        for (const std::string method : {"chance", "moody", "variance", "random", "all"}) {
          ASSERT_LT(place, results.size());
          const RunResult& result = results[place++];
          EXPECT_EQ(result.data_set, data);
          EXPECT_EQ(result.labels_per_class, labels);
          EXPECT_EQ(result.run, number);
          EXPECT_EQ(result.method, method);
        }
  EXPECT_EQ(place, results.size());
}

TEST_F(ExperimentTest, TheNumberOfThreadsChangesNothing) {
  std::vector<std::string> alone;
  {
    const ThreadLimit limit(1);
    alone = lines(run());
  }
  for (const int threads : {2, 3, 7}) {
    const ThreadLimit limit(threads);
    EXPECT_EQ(lines(run()), alone);
  }
}

TEST_F(ExperimentTest, ResumedWhereverItStoppedEqualsUninterrupted) {
  const std::vector<RunResult> whole = run();
  for (const std::size_t done :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, whole.size() - 1, whole.size()}) {
    std::vector<RunResult> results(whole.begin(), whole.begin() + static_cast<Index>(done));
    const std::vector<RunResult> rest = run(results);
    EXPECT_EQ(rest.size(), whole.size() - done);
    results.insert(results.end(), rest.begin(), rest.end());
    EXPECT_EQ(lines(results), lines(whole));
  }
}

TEST_F(ExperimentTest, AMethodThatFailsOnSomeSplitsDoesNotDisturbTheOthers) {
  const std::vector<RunResult> results = run();
  Index failures = 0;
  for (const RunResult& result : results) {
    if (result.failure) {
      ++failures;
      EXPECT_EQ(result.method, "moody");
      EXPECT_EQ(*result.failure, "not today");
    } else {
      EXPECT_FALSE(result.views.empty());
    }
  }
  EXPECT_GT(failures, 0);
  EXPECT_LT(failures, 16);
}

TEST_F(ExperimentTest, EndsWhenTheListenerThrows) {
  Index calls = 0;
  const ExperimentListener listener{.done = [&](const RunResult&) {
    if (++calls == 3) throw Interrupted("enough");
  }};
  EXPECT_THROW(run_experiment(experiment_, {}, listener), Interrupted);
  EXPECT_EQ(calls, 3);
}

TEST_F(ExperimentTest, SaysOncePerDataSetThatThereAreTooFewLabels) {
  experiment_.protocol.labels_per_class = "3,20";
  std::vector<std::string> warnings;
  run_experiment(experiment_, {},
                 {.done = [](const RunResult&) {},
                  .warn = [&](const std::string& text) { warnings.push_back(text); }});
  const std::string text =
      ": 20 labels per class were asked for, but there are fewer of classes 0 (8), 1 (8), 2 (8): "
      "all of them are kept";
  EXPECT_EQ(warnings, (std::vector<std::string>{"one" + text, "two" + text}));
}

TEST_F(ExperimentTest, CountsItsProgressOverAllResults) {
  std::vector<Index> seen;
  Index expected_total = 80;
  run_experiment(experiment_, {},
                 {.done = [](const RunResult&) {},
                  .progress = Progress([&](std::string_view, Index done, Index total) {
                    seen.push_back(done);
                    EXPECT_EQ(total, expected_total);
                  })});
  ASSERT_EQ(seen.size(), 80U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST_F(ExperimentTest, PureNoiseIsNoBetterThanRandom) {
  Sample noise{.x = test::random_table(60, 30, /*seed=*/9)};
  for (Index i = 0; i < 60; ++i) noise.labels.push_back(i % 2);
  const StoredSample stored(noise);
  experiment_.data_sets = {{.name = "noise", .file = "noise.csv", .problem = stored.problem()}};
  experiment_.protocol =
      with_settings({}, {{"runs", "10"}, {"top", "1:10"}, {"labels_per_class", "3"}});
  const Summary summary = summarize({.facts = facts_of(experiment_), .runs = run()});
  ASSERT_EQ(summary.data_sets.size(), 2U);
  for (const DataSetSummary& data : summary.data_sets)
    for (const MethodSummary& method : data.methods)
      EXPECT_FALSE(method.beats_random()) << method.method;
}

TEST_F(ExperimentTest, FactsTellTheDataApart) {
  const ExperimentFacts facts = facts_of(experiment_);
  EXPECT_EQ(facts.methods,
            (std::vector<std::string>{"chance", "moody", "variance", "random", "all"}));
  ASSERT_EQ(facts.data_sets.size(), 2U);
  EXPECT_EQ(facts.data_sets[0].rows, 36);
  EXPECT_EQ(facts.data_sets[0].classes,
            (std::vector<std::pair<std::string, Index>>{{"0", 12}, {"1", 12}, {"2", 12}}));
  EXPECT_EQ(facts.data_sets[0].hash.size(), 16U);
  EXPECT_NE(facts.data_sets[0].hash, facts.data_sets[1].hash);
  for (const test::Storage storage : test::kStorages) {
    const StoredSample stored(sample(1), storage);
    experiment_.data_sets[0].problem = stored.problem();
    EXPECT_EQ(facts_of(experiment_).data_sets[0].hash, facts.data_sets[0].hash);
  }
}

TEST_F(ExperimentTest, RefusesNamesThatAreThereTwice) {
  experiment_.methods.push_back(experiment_.methods.front());
  EXPECT_EQ(message_of<InvalidArgument>([&] { facts_of(experiment_); }),
            "evaluate: method 'chance' is there twice");
  experiment_.methods.pop_back();
  experiment_.data_sets[1].name = "one";
  EXPECT_EQ(message_of<InvalidArgument>([&] { facts_of(experiment_); }),
            "evaluate: data set 'one' is there twice");
  experiment_.data_sets.clear();
  EXPECT_EQ(message_of<InvalidArgument>([&] { facts_of(experiment_); }),
            "evaluate: there is no data set");
}

TEST_F(ExperimentTest, DifferencesThatForbidToContinueAreNamed) {
  const ExperimentFacts facts = facts_of(experiment_);
  ExperimentFacts now = facts;
  now.command = "another spelling";
  now.protocol = "another name";
  now.data_sets[0].file = "moved.csv";
  EXPECT_EQ(difference(facts, now), "");
  now.data_sets[1].hash = "0";
  EXPECT_EQ(difference(facts, now), "two has other content now");
  now.data_sets.pop_back();
  EXPECT_EQ(difference(facts, now), "its number of data sets is 2, not 1");
  now = facts;
  now.settings[3].second = Index{5};
  EXPECT_EQ(difference(facts, now), "its runs is 4, not 5");
  now.methods.erase(now.methods.begin());
  EXPECT_EQ(difference(facts, now),
            "its list of methods is chance moody variance random all, not moody variance random "
            "all");
  now.seed = 6;
  EXPECT_EQ(difference(facts, now), "its seed is 5, not 6");
  now.version = "9";
  EXPECT_EQ(difference(facts, now), "its version is , not 9");
}

TEST(ExperimentTexts, BecomeAnExperimentWithoutTheControlsThatAreAlwaysThere) {
  std::vector<std::string> found;
  const auto ranker = [&](const std::string& call) {
    found.push_back(call);
    return Ranker(by_variance);
  };
  const Experiment experiment = experiment_of({.methods = {"mine", "variance", "random", "all"},
                                               .protocol = "cls-2011",
                                               .settings = {{"runs", "4"}},
                                               .seed = 9},
                                              {.ranker_of = ranker});
  EXPECT_EQ(found, (std::vector<std::string>{"variance", "mine"}));
  ASSERT_EQ(experiment.methods.size(), 1U);
  EXPECT_EQ(experiment.methods[0].name, "mine");
  EXPECT_EQ(experiment.protocol_name, "cls-2011");
  EXPECT_EQ(experiment.protocol.runs, 4);
  EXPECT_EQ(experiment.protocol.top, "all");
  EXPECT_EQ(experiment.seed, 9U);
}

TEST_F(ExperimentTest, MethodsAndJudgesTellTheProgressOfTheirDataSet) {
  std::map<std::string, Index> heard;
  experiment_.data_sets[0].progress =
      Progress([&](std::string_view stage, Index, Index) { ++heard[std::string(stage)]; });
  experiment_.data_sets.pop_back();
  experiment_.methods = {
      {.name = "slow", .rank = [](const Problem& problem, const tamis::Run& run) {
         Progress::Stage(run.progress, "ranking", 1).advance();
         return by_variance(problem, run);
       }}};
  run();
  EXPECT_EQ(heard["ranking"], 8);
  // Two views of the method, of variance, of all and of ten draws of random features.
  EXPECT_EQ(heard["judging"], 8 * 2 * (3 + 10));
}

TEST_F(ExperimentTest, MethodsThatBeginAlikeShareTheirStart) {
  Index made = 0;
  const auto begin = [&](const Problem& problem, const tamis::Run& run) {
    const auto rank = [&] {
      ++made;
      return by_chance(problem, run);
    };
    return run.recall ? run.recall("start", rank) : rank();
  };
  experiment_.data_sets.pop_back();
  experiment_.protocol = with_settings(
      {}, {{"runs", "2"}, {"labels_per_class", "2"}, {"top", "3"}, {"n_constraints", "4,9"}});
  experiment_.methods = {{.name = "first", .rank = begin}, {.name = "second", .rank = begin}};
  const ThreadLimit limit(1);
  const std::vector<RunResult> alone = run();
  EXPECT_EQ(made, 2 * 2 * 2);
  made = 0;
  for (Contestant& method : experiment_.methods) method.shared_start = "start";
  const std::vector<RunResult> shared = run();
  EXPECT_EQ(made, 2 * 2) << "once for each run and number of constraints";
  EXPECT_EQ(lines(shared), lines(alone));
  EXPECT_GT(shared[1].cpu_seconds, 0.0) << "the second is charged, too";
}

TEST(ExperimentTexts, KnowWhichMethodsBeginAlike) {
  const Experiment experiment = experiment_of(
      {.methods = {"a", "b", "a2", "c"}},
      {.ranker_of = [](const std::string&) { return Ranker(by_variance); },
       .first_ranking_of = [](const std::string& call) { return call.substr(0, 1); }});
  std::vector<std::string> starts;
  for (const Contestant& method : experiment.methods) starts.push_back(method.shared_start);
  EXPECT_EQ(starts, (std::vector<std::string>{"a", "", "a", ""}));
}

TEST_F(ExperimentTest, MethodsSeeGrowingNumbersOfConstraintsAndLevelOnesAreRepeated) {
  experiment_.data_sets.pop_back();
  experiment_.protocol = with_settings(
      {}, {{"runs", "2"}, {"labels_per_class", "2"}, {"top", "3"}, {"n_constraints", "4,9,all"}});
  std::map<std::size_t, Index> seen;
  Index labeled = 0;
  experiment_.methods = {{.name = "pairs",
                          .rank =
                              [&](const Problem& problem, const tamis::Run& run) {
                                ++seen[problem.known.pairs->must_link.size() +
                                       problem.known.pairs->cannot_link.size()];
                                return by_variance(problem, run);
                              }},
                         {.name = "labels",
                          .rank =
                              [&](const Problem& problem, const tamis::Run& run) {
                                EXPECT_EQ(labeled_rows(problem.known).size(), 6U);
                                ++labeled;
                                return by_variance(problem, run);
                              },
                          .needs_classes = true}};
  const ThreadLimit limit(1);
  const std::vector<RunResult> results = run();
  EXPECT_EQ(seen, (std::map<std::size_t, Index>{{4, 2}, {9, 2}, {15, 2}}));
  EXPECT_EQ(labeled, 2) << "once for each run";
  ASSERT_EQ(results.size(), 2U * 3U * 5U);
  std::size_t place = 0;
  for (Index number = 0; number < 2; ++number)
    for (const Index constraints : {4, 9, 15})
      for (const std::string method : {"pairs", "labels", "variance", "random", "all"}) {
        EXPECT_EQ(results[place].run, number);
        EXPECT_EQ(results[place].n_constraints, constraints);
        EXPECT_EQ(results[place].method, method);
        EXPECT_EQ(results[place++].failure, std::nullopt);
      }
  EXPECT_EQ(results[1].views[0].accuracy, results[6].views[0].accuracy);
  EXPECT_EQ(lines(run({results.begin(), results.begin() + 7})),
            lines({results.begin() + 7, results.end()}))
      << "goes on where it stopped";
}

TEST(ExperimentTexts, GiveMethodsTheOptionsOfTheProtocolAndKeepWhatTheyAre) {
  const Experiment experiment =
      experiment_of({.methods = {"mine"}, .protocol = "l2gfs-2013"},
                    {.ranker_of = [](const std::string&) { return Ranker(by_variance); },
                     .options_of =
                         [](const std::string&) {
                           return NamedValues{{"restarts", Index{20}}};
                         },
                     .needs_classes = [](const std::string&) { return true; },
                     .with_options =
                         [](const std::string& call, std::span<const OptionSetting> settings) {
                           return call + ":" + std::string(settings[0].option) + "=" +
                                  std::string(settings[0].value);
                         }});
  ASSERT_EQ(experiment.methods.size(), 1U);
  EXPECT_EQ(experiment.methods[0].name, "mine:restarts=20");
  EXPECT_TRUE(experiment.methods[0].needs_classes);
  EXPECT_EQ(experiment.methods[0].options, (NamedValues{{"restarts", Index{20}}}));
}

}  // namespace
}  // namespace tamis
