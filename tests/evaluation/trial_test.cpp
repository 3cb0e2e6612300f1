#include "evaluation/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "clustering/kmeans/kmeans.hpp"
#include "evaluation/metrics.hpp"
#include "learners/decision_tree.hpp"
#include "learners/naive_bayes.hpp"
#include "learners/nearest_neighbor.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using test::Dense;
using test::Sample;
using test::StoredSample;

/// Three separable classes, all labeled.
Sample three_classes(Index rows = 60, Index cols = 8) {
  Sample sample = test::blobs(rows, cols, 0, /*seed=*/4);
  sample.labels.clear();
  for (Index i = 0; i < rows; ++i) sample.labels.push_back(i % 3);
  return sample;
}

DataSet data_set(const StoredSample& stored) {
  return {.name = "blobs", .file = "blobs.csv", .problem = stored.problem()};
}

/// By the difference of class means among the labeled rows: uses rows, labels and order.
Ranking by_class_means(const Problem& problem, const tamis::Run& /*run*/ = {}) {
  std::vector<double> scores(problem.cols(), 0.0);
  const auto classes = rows_by_class(problem.known);
  for (Index r = 0; r < problem.cols(); ++r) {
    std::vector<double> means;
    for (const auto& rows : classes) {
      std::vector<double> column(rows.size());
      copy_columns(problem.matrix, rows, r, 1, column.data());
      means.push_back(std::accumulate(column.begin(), column.end(), 0.0) /
                      static_cast<double>(rows.size()));
    }
    scores[r] = *std::ranges::max_element(means) - *std::ranges::min_element(means);
  }
  return rank_features(std::move(scores), Better::higher, {}, "no columns");
}

/// Column 0, 1, 2, ...
Ranking by_column(const Problem& problem, const tamis::Run& /*run*/ = {}) {
  std::vector<double> scores(problem.cols());
  std::iota(scores.begin(), scores.end(), 0.0);
  return rank_features(std::move(scores), Better::lower, {}, "no columns");
}

RunResult run(const DataSet& data, const Protocol& protocol, const Trial& trial,
              const Ranker& ranker) {
  return TrialRunner(data, protocol, trial).run({.name = "m", .rank = ranker}, nullptr);
}

TEST(CompleteData, LearnsWhatIsMissingFromTheGivenRowsOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double unseen : {7.0, -1e6}) {
    const std::vector<double> values = {1, 2, 3, nan, nan, 4, unseen, unseen};
    const DataSet data{.name = "gaps",
                       .file = "gaps.csv",
                       .problem = {.matrix = DenseView<double>(values.data(), 4, 2)},
                       .missing = Missing::median};
    const std::vector<Index> training = {0, 1, 2};
    const CompleteData complete(data, training);
    std::vector<double> filled(8);
    copy_columns(complete.data().problem.matrix, all_indices(4), 0, 2, filled.data());
    EXPECT_EQ(filled, (std::vector<double>{1, 2, 3, 3, 2, 4, unseen, unseen}));
    EXPECT_EQ(complete.data().name, "gaps");
  }
}

TEST(CompleteData, IsTheDataSetItselfIfNothingIsMissing) {
  const StoredSample stored(three_classes());
  DataSet data = data_set(stored);
  data.missing = Missing::mean;
  EXPECT_EQ(&CompleteData(data, all_indices(60)).data(), &data);
}

TEST(Trial, ShowsMethodsTheTrainingRowsAndAFewLabelsAlone) {
  const Sample sample = three_classes();
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  const Protocol protocol;
  const Trial trial = draw_trial(data, protocol, 7, 3, 2);
  run(data, protocol, trial, [&](const Problem& seen, const tamis::Run& /*run*/) {
    EXPECT_EQ(seen.rows(), std::ssize(trial.split.train));
    std::map<Index, Index> counts;
    for (Index s = 0; s < seen.rows(); ++s) {
      std::vector<double> values(sample.x.cols);
      copy_columns(seen.matrix, std::vector<Index>{s}, 0, sample.x.cols, values.data());
      const Index row = trial.split.train[s];
      for (Index r = 0; r < sample.x.cols; ++r) EXPECT_EQ(values[r], sample.x(row, r));
      if (seen.known.labels[s] == kUnlabeled) continue;
      EXPECT_EQ(seen.known.labels[s], sample.labels[row]);
      ++counts[seen.known.labels[s]];
    }
    EXPECT_EQ(counts, (std::map<Index, Index>{{0, 3}, {1, 3}, {2, 3}}));
    EXPECT_FALSE(seen.known.pairs);
    return by_column(seen);
  });
}

/// "Projects" on columns as they are: what a ranking that begins with them would keep.
Projection on_columns(const Problem& problem, const std::vector<Index>& columns) {
  const Index count = std::ssize(columns);
  Projection found{
      .mean = std::vector<double>(problem.cols(), 0.0),
      .components = {count, problem.cols(), Buffer<double>(count * problem.cols(), 0.0)}};
  for (Index c = 0; c < count; ++c) found.components.values[c * problem.cols() + columns[c]] = 1.0;
  return found;
}

TEST(Trial, JudgesComponentsLikeFeatures) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
    Protocol protocol = with_settings({}, {{"top", "1:4"}});
    protocol.scaling = scaling;
    const Trial trial = draw_trial(data, protocol, 7, 3, 1);
    TrialRunner runner(data, protocol, trial);
    const RunResult expected = runner.run({.name = "m", .rank = by_column}, nullptr);
    const auto project = [&](const Problem& seen, Index n_components, const tamis::Run& /*run*/) {
      EXPECT_EQ(seen.rows(), std::ssize(trial.split.train));
      EXPECT_EQ(std::ssize(labeled_rows(seen.known)), 9);
      EXPECT_EQ(n_components, 4);
      return on_columns(seen, {0, 1, 2, 3});
    };
    const RunResult found = runner.run({.name = "p", .rank = nullptr, .project = project}, nullptr);
    EXPECT_EQ(found.failure, std::nullopt);
    EXPECT_TRUE(found.features.empty());
    EXPECT_EQ(found.lengths, expected.lengths);
    ASSERT_EQ(found.views.size(), expected.views.size());
    for (std::size_t v = 0; v < found.views.size(); ++v)
      EXPECT_EQ(found.views[v].accuracy, expected.views[v].accuracy);
    test::expect_scores_near(found.mean_correlation, expected.mean_correlation, 1e-12);
  }
}

TEST(Trial, FitsProjectionsToScaledTrainingRows) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  Protocol protocol;
  protocol.scaling = ScalingKind::standard;
  const Trial trial = draw_trial(data, protocol, 7, 3, 1);
  const auto project = [&](const Problem& seen, Index /*n_components*/, const tamis::Run& /*run*/) {
    const ColumnMoments found = moments(seen.matrix);
    for (Index r = 0; r < seen.cols(); ++r) {
      EXPECT_NEAR(found.mean[r], 0.0, 1e-12);
      EXPECT_NEAR(found.squares[r], static_cast<double>(seen.rows()), 1e-9);
    }
    return on_columns(seen, {0});
  };
  TrialRunner(data, protocol, trial)
      .run({.name = "p", .rank = nullptr, .project = project}, nullptr);
}

TEST(Trial, TakesAllComponentsWhereThereAreFewerThanAskedFor) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"top", "1:6"}});
  const auto project = [&](const Problem& seen, Index /*n_components*/, const tamis::Run& /*run*/) {
    return on_columns(seen, {0, 1});
  };
  const RunResult found = TrialRunner(data, protocol, draw_trial(data, protocol, 7, 3, 1))
                              .run({.name = "p", .rank = nullptr, .project = project}, nullptr);
  EXPECT_EQ(std::ssize(found.lengths), 6);
  for (const ViewpointResult& view : found.views)
    EXPECT_EQ(std::vector<double>(view.accuracy.begin() + 1, view.accuracy.end()),
              std::vector<double>(5, view.accuracy[1]));
}

TEST(Trial, PoisonedTestRowsAndTestLabelsChangeNoRanking) {
  const Sample clean = three_classes();
  for (const bool is_scaled : {false, true}) {
    Protocol protocol;
    protocol.scaled_ranking = is_scaled;
    const StoredSample stored(clean);
    const DataSet data = data_set(stored);
    const Trial trial = draw_trial(data, protocol, 7, 3, 0);
    Sample poisoned = clean;
    for (const Index row : trial.split.test) {
      poisoned.labels[row] = (clean.labels[row] + 1) % 3;
      for (Index r = 0; r < clean.x.cols; ++r) poisoned.x(row, r) = 1e9 * static_cast<double>(r);
    }
    const StoredSample other(poisoned);
    std::vector<std::vector<double>> scores;
    const auto keep_scores = [&](const Problem& problem, const tamis::Run& /*run*/) {
      scores.push_back(by_class_means(problem).scores);
      return by_class_means(problem);
    };
    const RunResult one = run(data, protocol, trial, keep_scores);
    const RunResult two = run(data_set(other), protocol, trial, keep_scores);
    EXPECT_EQ(scores[0], scores[1]);
    EXPECT_EQ(one.features, two.features);
    EXPECT_EQ(one.mean_correlation, two.mean_correlation);
    EXPECT_NE(one.views[0].accuracy, two.views[0].accuracy);
  }
}

TEST(Trial, DependsOnSeedNameAndRunAlone) {
  const StoredSample stored(three_classes());
  DataSet data = data_set(stored);
  const Protocol protocol;
  const Trial first = draw_trial(data, protocol, 7, 3, 2);
  EXPECT_EQ(draw_trial(data, protocol, 7, 3, 2).few_labels, first.few_labels);
  EXPECT_EQ(draw_trial(data, protocol, 7, 5, 2).split.test, first.split.test);
  EXPECT_NE(draw_trial(data, protocol, 7, 3, 1).split.test, first.split.test);
  EXPECT_NE(draw_trial(data, protocol, 8, 3, 2).split.test, first.split.test);
  data.name = "other";
  EXPECT_NE(draw_trial(data, protocol, 7, 3, 2).split.test, first.split.test);
}

TEST(Trial, OfFoldsTestsEveryRowOnceInARepetition) {
  const StoredSample stored(three_classes(31));
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"split", "k_fold"}, {"folds", "4"}, {"runs", "2"}});
  ASSERT_EQ(n_runs(protocol), 8);
  for (Index repetition = 0; repetition < 2; ++repetition) {
    std::multiset<Index> tested;
    for (Index fold = 0; fold < 4; ++fold) {
      const Trial trial = draw_trial(data, protocol, 0, 3, repetition * 4 + fold);
      tested.insert(trial.split.test.begin(), trial.split.test.end());
    }
    EXPECT_EQ(std::vector(tested.begin(), tested.end()), all_indices(31));
  }
}

TEST(Trial, OfFirstHalvesHasTheSameRowsButOtherLabels) {
  const StoredSample stored(three_classes(12));
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"split", "first_half"}});
  const Trial one = draw_trial(data, protocol, 0, 1, 0);
  EXPECT_EQ(one.split.train, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  std::set<std::vector<Index>> draws;
  for (Index run = 0; run < 10; ++run)
    draws.insert(draw_trial(data, protocol, 0, 1, run).few_labels);
  EXPECT_GT(draws.size(), 1U);
}

TEST(Trial, SharesOutLabelsInAllEvenly) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"label_budget", "in_all"}});
  for (const Index wanted : {2, 3, 7, 12}) {
    const Trial trial = draw_trial(data, protocol, 1, wanted, 0);
    std::vector<Index> counts(3, 0);
    for (const Index label : trial.few_labels)
      if (label != kUnlabeled) ++counts[label];
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), Index{0}), wanted);
    EXPECT_LE(*std::ranges::max_element(counts) - *std::ranges::min_element(counts), 1);
    for (const Index row : trial.split.test) EXPECT_EQ(trial.few_labels[row], kUnlabeled);
  }
  EXPECT_EQ(draw_trial(data, protocol, 1, 2, 0).warning,
            "2 labels are fewer than the 3 classes: some have no labeled row");
}

TEST(Trial, KeepsWhatASmallClassHasAndSaysSo) {
  Sample sample = three_classes(30);
  for (Index i = 5; i < 30; ++i)
    if (sample.labels[i] == 2) sample.labels[i] = 0;
  sample.labels[5] = 2;  // two rows of class 2
  const StoredSample stored(sample);
  const Trial trial = draw_trial(data_set(stored), {}, 0, 5, 0);
  EXPECT_EQ(std::ranges::count(trial.few_labels, 2), 1);
  EXPECT_EQ(trial.warning,
            "5 labels per class were asked for, but there are fewer of class 2 (1): all of them "
            "are kept");
}

/// On tables with so many rows.
void expect_prefixes_judged_alone(Index rows) {
  const Sample sample = three_classes(rows);
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"scaling", "none"}, {"top", "1:8:3"}});
  const Trial trial = draw_trial(data, protocol, 3, 3, 0);
  const RunResult result = run(data, protocol, trial, by_column);
  ASSERT_EQ(result.lengths, (std::vector<Index>{1, 4, 7}));
  ASSERT_EQ(result.views.size(), 2U);
  std::vector<Index> labeled;
  for (const Index row : trial.split.train)
    if (trial.few_labels[row] != kUnlabeled) labeled.push_back(row);
  for (std::size_t place = 0; place < 3; ++place) {
    const DenseView<double> prefix(sample.x.values.data(), sample.x.rows, result.lengths[place],
                                   sample.x.cols);
    for (std::size_t view = 0; view < 2; ++view) {
      const auto& teachers = view == 0 ? trial.split.train : labeled;
      std::vector<Index> truth;
      std::vector<Index> predicted;
      for (const Index row : nearest_rows(prefix, teachers, trial.split.test))
        predicted.push_back(sample.labels[row]);
      for (const Index row : trial.split.test) truth.push_back(sample.labels[row]);
      EXPECT_EQ(result.views[view].accuracy[place], accuracy(truth, predicted));
      EXPECT_EQ(result.views[view].balanced_accuracy[place], balanced_accuracy(truth, predicted));
    }
  }
}

TEST(Trial, JudgesPrefixesLikeANearestNeighborOnEachAlone) {
  for (const Index rows : {60, 3600}) {  // 1200 of them for testing: more than one block
    SCOPED_TRACE(rows);
    expect_prefixes_judged_alone(rows);
  }
}

TEST(Trial, AnSvmSeesThePrefixesToo) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  for (const std::string cost : {"1", "auto"})
    for (const std::string solver : {"libsvm", "liblinear"}) {
      const Protocol protocol = with_settings(
          {}, {{"classifier", "svm"}, {"cost", cost}, {"svm_solver", solver}, {"top", "1,8"}});
      const RunResult result = run(data, protocol, draw_trial(data, protocol, 3, 3, 0), by_column);
      EXPECT_EQ(result.failure, std::nullopt);
      EXPECT_GT(result.views[0].accuracy[1], 0.8);
    }
}

TEST(Trial, TreesAndNaiveBayesSeeThePrefixesToo) {
  const Sample sample = three_classes(150);
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  std::vector<std::vector<double>> accuracies;
  for (const std::string classifier : {"tree", "naive_bayes"}) {
    const Protocol protocol =
        with_settings({}, {{"classifier", classifier}, {"scaling", "none"}, {"top", "1:8"}});
    const Trial trial = draw_trial(data, protocol, 3, 3, 0);
    const RunResult result = run(data, protocol, trial, by_column);
    EXPECT_EQ(result.failure, std::nullopt);
    std::vector<Index> truth;
    for (const Index row : trial.split.test) truth.push_back(sample.labels[row]);
    std::vector<Index> classes;
    for (const Index row : trial.split.train) classes.push_back(sample.labels[row]);
    for (Index length = 1; length <= 8; ++length) {
      const DenseView<double> prefix(sample.x.values.data(), sample.x.rows, length, sample.x.cols);
      const std::vector<Index> predicted =
          classifier == "tree"
              ? SortedColumns(prefix, trial.split.train, classes, all_indices(length))
                    .grow(length)
                    .predict(prefix, trial.split.test)
              : train_naive_bayes(prefix, trial.split.train, sample.labels)
                    .predict(prefix, trial.split.test);
      EXPECT_EQ(result.views[0].accuracy[length - 1], accuracy(truth, predicted));
    }
    accuracies.push_back(result.views[0].accuracy);
    EXPECT_GT(accuracies.back().back(), 0.8);
  }
  EXPECT_NE(accuracies[0], accuracies[1]);
}

TEST(Trial, AllStoragesGiveTheSameResult) {
  const Sample sample = three_classes();
  std::vector<std::vector<double>> accuracies;
  for (const test::Storage storage : test::kStorages) {
    const StoredSample stored(sample, storage);
    const DataSet data = data_set(stored);
    const Trial trial = draw_trial(data, {}, 3, 3, 0);
    accuracies.push_back(run(data, {}, trial, by_class_means).views[0].accuracy);
    EXPECT_EQ(accuracies.back(), accuracies.front());
  }
}

TEST(Trial, ASubsetServesAsAWholeWhereMoreFeaturesAreAskedFor) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"top", "1:6"}});
  const Trial trial = draw_trial(data, protocol, 3, 3, 0);
  const RunResult result =
      run(data, protocol, trial, [](const Problem& problem, const tamis::Run& /*run*/) {
        Ranking ranking = by_column(problem);
        ranking.subset = std::vector<Index>{5, 0, 2};
        return ranking;
      });
  EXPECT_EQ(result.features, (std::vector<Index>{5, 0, 2}));
  const std::vector<double>& accuracies = result.views[0].accuracy;
  ASSERT_EQ(accuracies.size(), 6U);
  for (std::size_t place = 3; place < 6; ++place) {
    EXPECT_EQ(accuracies[place], accuracies[2]);
    EXPECT_EQ(result.mean_correlation[place], result.mean_correlation[2]);
  }
}

TEST(Trial, AMethodThatThrowsHasAFailureForAResult) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Trial trial = draw_trial(data, {}, 3, 3, 0);
  const RunResult result = run(data, {}, trial, [](const Problem&, const tamis::Run&) -> Ranking {
    throw DataError("it broke");
  });
  EXPECT_EQ(result.failure, "it broke");
  EXPECT_TRUE(result.lengths.empty());
  EXPECT_TRUE(result.views.empty());
  const RunResult empty =
      run(data, {}, trial, [](const Problem& problem, const tamis::Run& /*run*/) {
        Ranking ranking = by_column(problem);
        ranking.subset.emplace();
        return ranking;
      });
  EXPECT_EQ(empty.failure, "no feature was kept");
  EXPECT_THROW(run(data, {}, trial,
                   [](const Problem&, const tamis::Run&) -> Ranking { throw Interrupted("stop"); }),
               Interrupted);
}

TEST(Trial, ControlsAreAllFeaturesAndTheMeanOfRandomOnes) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"top", "1:8"}, {"random_draws", "3"}});
  const Trial trial = draw_trial(data, protocol, 3, 3, 0);
  TrialRunner runner(data, protocol, trial);
  const RunResult all = runner.all_features();
  EXPECT_EQ(all.lengths, std::vector<Index>{8});
  EXPECT_EQ(all.views[0].accuracy[0], run(data, protocol, trial, by_column).views[0].accuracy[7]);

  const RunResult random = runner.random_features();
  std::vector<double> mean(8, 0.0);
  for (std::uint64_t draw = 0; draw < 3; ++draw) {
    const RunResult one =
        run(data, protocol, trial, [&](const Problem& problem, const tamis::Run& /*run*/) {
          Ranking ranking = by_column(problem);
          ranking.order = RandomStream(random_features_seed(trial), draw).sample(8, 8);
          return ranking;
        });
    for (std::size_t place = 0; place < 8; ++place)
      mean[place] += one.views[1].accuracy[place] / 3.0;
  }
  for (std::size_t place = 0; place < 8; ++place)
    EXPECT_NEAR(random.views[1].accuracy[place], mean[place], 1e-12);
  EXPECT_TRUE(random.features.empty());
}

TEST(Trial, AClassifierThatCannotLearnIsAFailureOfTheControlsToo) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"classifier", "svm"},
                                               {"label_budget", "in_all"},
                                               {"labels_per_class", "1"},
                                               {"views", "realistic"}});
  TrialRunner runner(data, protocol, draw_trial(data, protocol, 3, 1, 0));
  for (const RunResult& result : {runner.all_features(), runner.random_features(),
                                  runner.run({.name = "m", .rank = by_column}, nullptr)}) {
    EXPECT_TRUE(result.failure);
    EXPECT_TRUE(result.views.empty());
    EXPECT_TRUE(result.features.empty());
  }
}

TEST(Trial, VarianceSeesUnscaledColumns) {
  const StoredSample stored(three_classes());
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"scaled_ranking", "true"}});
  TrialRunner runner(data, protocol, draw_trial(data, protocol, 3, 3, 0));
  const auto spread = [](double& squares) {
    return [&squares](const Problem& problem, const tamis::Run& /*run*/) {
      squares = moments(problem.matrix).squares[0] / static_cast<double>(problem.rows());
      return by_column(problem);
    };
  };
  double scaled = 0.0;
  double unscaled = 0.0;
  runner.run({.name = "m", .rank = spread(scaled)}, nullptr);
  runner.run({.name = "variance", .rank = spread(unscaled), .sees_unscaled = true}, nullptr);
  EXPECT_NEAR(scaled, 1.0, 1e-12);
  EXPECT_GT(std::abs(unscaled - 1.0), 1e-3);
}

TEST(Trial, RefusesDataThatCannotBeSplit) {
  Sample sample = three_classes(9, 2);
  sample.labels = {0, 0, 0, 0, 1, 1, 1, 1, 2};
  const StoredSample stored(sample);
  DataSet lone = data_set(stored);
  lone.problem.known.class_names = {"x", "y", "z"};
  EXPECT_EQ(message_of<DataError>([&] { draw_trial(lone, {}, 0, 3, 0); }),
            "class z has one labeled row, which cannot be both among the training and among the "
            "test rows: leave the class out or label more of its rows");
  sample.labels.assign(9, 0);
  const StoredSample one_class(sample);
  EXPECT_EQ(message_of<DataError>([&] { draw_trial(data_set(one_class), {}, 0, 3, 0); }),
            "the labels name a single class: features are judged by telling at least two classes "
            "apart");
  sample.labels = {0, 0, 1, 1, kUnlabeled, kUnlabeled, kUnlabeled, kUnlabeled, kUnlabeled};
  const StoredSample few(sample);
  const Protocol folds = with_settings({}, {{"split", "k_fold"}});
  EXPECT_EQ(message_of<DataError>([&] { draw_trial(data_set(few), folds, 0, 3, 0); }),
            "4 labeled rows cannot be dealt out to 5 folds: ask for fewer");
}

TEST(Trial, ShowsMethodsPairsInPlaceOfLabelsIfTheyAreCounted) {
  const Sample sample = three_classes();
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"n_constraints", "5"}, {"top", "2"}});
  const Trial trial = draw_trial(data, protocol, 7, 3, 2);
  TrialRunner runner(data, protocol, trial);
  const auto seen_pairs = [&](Index count, bool needs_classes) {
    Knowledge known;
    const Contestant contestant{.name = "m",
                                .rank =
                                    [&](const Problem& seen, const tamis::Run& /*run*/) {
                                      known = seen.known;
                                      return by_column(seen);
                                    },
                                .needs_classes = needs_classes};
    EXPECT_EQ(runner.run(contestant, nullptr, count).n_constraints, count);
    return known;
  };
  const Knowledge five = seen_pairs(5, false);
  EXPECT_TRUE(labeled_rows(five).empty());
  EXPECT_EQ(five.class_names.size(), 3U) << "so that methods that cluster can count them";
  EXPECT_EQ(five.pairs->must_link.size() + five.pairs->cannot_link.size(), 5U);
  for (const RowPair& pair : five.pairs->must_link)
    EXPECT_EQ(sample.labels[trial.split.train[pair.first]],
              sample.labels[trial.split.train[pair.second]]);
  for (const RowPair& pair : five.pairs->cannot_link)
    EXPECT_NE(sample.labels[trial.split.train[pair.first]],
              sample.labels[trial.split.train[pair.second]]);
  const Knowledge all = seen_pairs(1000, false);  // of nine labels
  EXPECT_EQ(all.pairs->must_link.size(), 9U);
  EXPECT_EQ(all.pairs->cannot_link.size(), 27U);
  const Knowledge labels = seen_pairs(5, true);
  EXPECT_FALSE(labels.pairs);
  EXPECT_EQ(labeled_rows(labels).size(), 9U);
}

TEST(Trial, ClustersTestRowsByKmeansIfAsked) {
  const Sample sample = three_classes();
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  const Protocol protocol =
      with_settings({}, {{"kmeans", "true"}, {"scaling", "none"}, {"top", "1,8"}});
  const Trial trial = draw_trial(data, protocol, 3, 3, 0);
  const RunResult result = run(data, protocol, trial, by_column);
  std::vector<Index> truth;
  for (const Index row : trial.split.test) truth.push_back(sample.labels[row]);
  ASSERT_TRUE(result.kmeans);
  for (std::size_t place = 0; place < 2; ++place) {
    const Index length = result.lengths[place];
    std::vector<double> values;
    for (const Index row : trial.split.test)
      for (Index r = 0; r < length; ++r) values.push_back(sample.x(row, r));
    const Clustering found =
        kmeans({.matrix = DenseView<double>(values.data(), std::ssize(truth), length)},
               {.n_clusters = 3}, {}, {.seed = kmeans_seed(trial)});
    EXPECT_EQ(result.kmeans->rand[place], rand_index(truth, found.clusters));
    EXPECT_EQ(result.kmeans->adjusted_rand[place], adjusted_rand_index(truth, found.clusters));
    EXPECT_EQ(result.kmeans->nmi[place], normalized_mutual_information(truth, found.clusters));
  }
  TrialRunner runner(data, protocol, trial);
  EXPECT_EQ(runner.all_features().kmeans->rand.size(), 1U);
  EXPECT_EQ(runner.random_features().kmeans->nmi.size(), 2U);
  EXPECT_FALSE(run(data, {}, trial, by_column).kmeans);
}

TEST(Trial, MembersVoteEachByItsOwnFeaturesTiesToTheLowerClass) {
  const Sample sample = three_classes();
  const StoredSample stored(sample);
  const DataSet data = data_set(stored);
  const Protocol protocol = with_settings({}, {{"scaling", "none"}, {"top", "1:3"}});
  const Trial trial = draw_trial(data, protocol, 3, 3, 0);
  const std::vector<std::vector<Index>> members{{0, 1, 2, 3, 4, 5, 6, 7},
                                                {7, 6, 5, 4, 3, 2, 1, 0},
                                                {3, 0, 5, 1, 2, 4, 6, 7},
                                                {5, 4, 3, 2, 1, 0, 6, 7}};
  const RunResult result =
      run(data, protocol, trial, [&](const Problem& problem, const tamis::Run& /*run*/) {
        Ranking ranking = by_column(problem);
        ranking.member_orders = members;
        return ranking;
      });
  EXPECT_EQ(result.features, (std::vector<Index>{0, 1, 2}));
  std::vector<Index> truth;
  for (const Index row : trial.split.test) truth.push_back(sample.labels[row]);
  for (Index length = 1; length <= 3; ++length) {
    std::vector<std::map<Index, Index>> votes(truth.size());
    for (const std::vector<Index>& member : members) {
      std::vector<double> values;
      for (Index i = 0; i < sample.x.rows; ++i)
        for (Index s = 0; s < length; ++s) values.push_back(sample.x(i, member[s]));
      const auto nearest = nearest_rows(DenseView<double>(values.data(), sample.x.rows, length),
                                        trial.split.train, trial.split.test);
      for (std::size_t s = 0; s < truth.size(); ++s) ++votes[s][sample.labels[nearest[s]]];
    }
    std::vector<Index> winners;
    for (const auto& counts : votes) {
      Index best = counts.begin()->first;
      for (const auto& [label, count] : counts)
        if (count > counts.at(best)) best = label;
      winners.push_back(best);
    }
    EXPECT_EQ(result.views[0].accuracy[length - 1], accuracy(truth, winners));
  }
}

}  // namespace
}  // namespace tamis
