#include "learners/decision_tree.hpp"

#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "support/naive_tree.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

DecisionTree tree_of(const MatrixView& x, const std::vector<Index>& rows,
                     const std::vector<Index>& labels) {
  std::vector<Index> classes;
  for (const Index i : rows) classes.push_back(labels[i]);
  return SortedColumns(x, rows, classes, all_indices(x.cols())).grow(x.cols());
}

std::vector<Index> naive_predictions(const Sample& sample, const std::vector<Index>& train,
                                     const std::vector<Index>& columns) {
  std::vector<Index> classes;
  for (const Index i : train) classes.push_back(sample.labels[i]);
  const NaiveTree tree(sample.x, train, classes, columns);
  std::vector<Index> predicted;
  for (Index i = 0; i < sample.x.rows; ++i)
    predicted.push_back(tree.predict([&](Index r) { return sample.x(i, r); }));
  return predicted;
}

/// Rows of each third that train, some of them twice.
std::vector<Index> training_rows(Index rows) {
  std::vector<Index> train;
  for (Index i = 0; i < rows; ++i)
    if (i % 7 < 3) train.push_back(i);
  for (Index i = 0; i < rows; i += 21) train.push_back(i);
  return train;
}

/// Labels that the columns do not explain: trees grow deep.
Sample unruly(Dense x) {
  Sample sample{std::move(x)};
  for (Index i = 0; i < sample.x.rows; ++i) sample.labels.push_back((i * i + i / 3) % 5 * 2);
  return sample;
}

TEST(DecisionTree, MatchesTheNaiveTree) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const Sample& sample :
         {blobs(70, 6, 30, seed), unruly(random_table(90, 4, seed)),
          unruly(sparse_table(90, 5, seed)), unruly(integer_table(120, 3, seed))}) {
      std::vector<Index> train = training_rows(sample.x.rows);
      std::erase_if(train, [&](Index i) { return sample.labels[i] == kUnlabeled; });
      const std::vector<Index> expected =
          naive_predictions(sample, train, all_indices(sample.x.cols));
      for (const Storage storage : kStorages)
        for (const int threads : {1, 3}) {
          const ThreadLimit limit(threads);
          const StoredSample stored(sample, storage);
          const MatrixView& x = stored.problem().matrix;
          EXPECT_EQ(tree_of(x, train, sample.labels).predict(x, all_indices(x.rows())), expected)
              << name_of(storage) << ", seed " << seed;
        }
    }
}

TEST(DecisionTree, IsTheSameWhereColumnsAreSharedOutToThreads) {
  const Sample sample = unruly(random_table(20'000, 5, /*seed=*/1));
  const StoredSample stored(sample);
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> train = training_rows(x.rows());
  const auto predicted = [&](int threads) {
    const ThreadLimit limit(threads);
    return tree_of(x, train, sample.labels).predict(x, all_indices(x.rows()));
  };
  const std::vector<Index> classes = predicted(1);
  EXPECT_EQ(predicted(3), classes);
  for (const Index i : train) ASSERT_EQ(classes[i], sample.labels[i]);
}

TEST(DecisionTree, GrowsOnAPrefixOfAnyColumnsAsOnThoseAlone) {
  const Sample sample = unruly(random_table(60, 6, /*seed=*/2));
  const StoredSample stored(sample);
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> columns{4, 1, 5, 0};
  const std::vector<Index> train = training_rows(60);
  std::vector<Index> classes;
  for (const Index i : train) classes.push_back(sample.labels[i]);
  const SortedColumns sorted(x, train, classes, columns);
  for (Index length = 1; length <= 4; ++length)
    EXPECT_EQ(sorted.grow(length).predict(x, all_indices(60)),
              naive_predictions(sample, train, {columns.begin(), columns.begin() + length}));
}

TEST(DecisionTree, LearnsEveryRowByHeartUnlessEqualRowsDiffer) {
  Sample sample = unruly(random_table(200, 2, /*seed=*/3));
  const StoredSample stored(sample);
  const std::vector<Index> all = all_indices(200);
  EXPECT_EQ(
      tree_of(stored.problem().matrix, all, sample.labels).predict(stored.problem().matrix, all),
      sample.labels);
  const StoredSample equal({Dense(5, 2)});
  const DecisionTree leaf = tree_of(equal.problem().matrix, all_indices(5), {9, 4, 9, 4, 7});
  EXPECT_EQ(leaf.nodes().size(), 1U);
  EXPECT_EQ(leaf.predict([](Index) { return 0.0; }), 4);  // as frequent as 9, but lower
  EXPECT_TRUE(leaf.columns().empty());
}

TEST(DecisionTree, SplitsHalfwayAndTakesTheLowerColumnAndThresholdOfTies) {
  // Columns 1 and 2 separate the classes alike; column 1 does so at 2 | 4.
  Dense x(4, 3);
  x.values = {7, 1, 0, 7, 2, 0, 7, 4, 1, 7, 9, 1};
  const StoredSample stored({x});
  const DecisionTree tree = tree_of(stored.problem().matrix, all_indices(4), {0, 0, 1, 1});
  ASSERT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.nodes()[0].column, 1);
  EXPECT_EQ(tree.nodes()[0].threshold, 3.0);
  EXPECT_EQ(tree.columns(), std::vector<Index>{1});
  // 0 1 | 0: both thresholds leave one pure row and two mixed ones.
  Dense y(3, 1);
  y.values = {1, 2, 3};
  const StoredSample mixed({y});
  EXPECT_EQ(tree_of(mixed.problem().matrix, all_indices(3), {0, 1, 0}).nodes()[0].threshold, 1.5);
}

TEST(DecisionTree, KeepsNeighbouringNumbersApart) {
  // Halfway between them is one of them: the lower must go left, the upper right.
  for (const double low : {1.0, std::nextafter(1.0, 2.0)}) {
    Dense x(2, 1);
    x.values = {low, std::nextafter(low, 2.0)};
    const StoredSample stored({x});
    const DecisionTree tree = tree_of(stored.problem().matrix, all_indices(2), {0, 1});
    EXPECT_EQ(tree.predict(stored.problem().matrix, all_indices(2)), (std::vector<Index>{0, 1}));
  }
}

TEST(DecisionTree, GrowsAsDeepAsThereAreRows) {
  constexpr Index kRows = 4'000;  // each split takes off one row, so recursion would go deep
  Sample sample{Dense(kRows, 1)};
  for (Index i = 0; i < kRows; ++i) {
    sample.x(i, 0) = std::exp2(static_cast<double>(i) / 50.0);
    sample.labels.push_back(i % 2);
  }
  const StoredSample stored(sample);
  const std::vector<Index> all = all_indices(kRows);
  EXPECT_EQ(
      tree_of(stored.problem().matrix, all, sample.labels).predict(stored.problem().matrix, all),
      sample.labels);
}

TEST(DecisionTree, RefusesNoRowsAndRowsWithoutALabel) {
  const StoredSample stored({Dense(3, 1)});
  const MatrixView& x = stored.problem().matrix;
  EXPECT_EQ(message_of<InvalidArgument>([&] { tree_of(x, {}, {}); }),
            "decision_tree: there is no training row");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              tree_of(x, {0, 2}, {1, 1, kUnlabeled});
            }),
            "decision_tree: a training row has no label: leave it out");
}

}  // namespace
}  // namespace tamis::test
