#include "learners/linear_svm.hpp"

#include <cmath>
#include <cstdlib>

#include "learners/row_products.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

constexpr SvmSolver kSolvers[] = {SvmSolver::liblinear, SvmSolver::libsvm};

/// Three classes; rows 0 .. 29 train, the others test.
struct Task {
  Sample sample = blobs(90, 8, 30, 1);
  std::vector<Index> train = all_indices(30);
  std::vector<Index> test = {};
  Task() {
    for (Index i = 30; i < 90; ++i) test.push_back(i);
  }
};

double share_right(const std::vector<Index>& predicted, const Task& task) {
  double right = 0.0;
  for (std::size_t s = 0; s < predicted.size(); ++s)
    right += predicted[s] == task.sample.labels[task.test[s]] ? 1.0 : 0.0;
  return right / static_cast<double>(predicted.size());
}

TEST(LinearSvm, TellsClassesApartInEveryStorageWithBothSolvers) {
  const Task task;
  for (const SvmSolver solver : kSolvers) {
    std::vector<Index> first;
    for (const Storage storage : kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored(task.sample, storage);
      const MatrixView& x = stored.problem().matrix;
      const LinearSvm svm = train_linear_svm(x, task.train, task.sample.labels, {.solver = solver});
      const std::vector<Index> predicted = svm.predict(x, task.test);
      EXPECT_GT(share_right(predicted, task), 0.9);
      if (first.empty()) first = predicted;
      EXPECT_EQ(predicted, first);
    }
  }
}

TEST(LinearSvm, SeparatesWithTheWidestMargin) {
  // The best line between -1 and 3 lies at 1, whatever the other rows.
  Dense x(7, 1);
  x.values = {-5.0, -1.0, 3.0, 9.0, 0.9, 1.1, 1.5};
  const StoredSample stored({x});
  const std::vector<Index> labels{4, 4, 7, 7, -1, -1, -1};
  for (const SvmSolver solver : kSolvers) {
    const LinearSvm svm = train_linear_svm(stored.problem().matrix, std::vector<Index>{3, 0, 2, 1},
                                           labels, {.solver = solver, .cost = 1000.0});
    EXPECT_EQ(svm.predict(stored.problem().matrix, std::vector<Index>{0, 4, 5, 6, 3}),
              (std::vector<Index>{4, 4, 7, 7, 7}));
    EXPECT_EQ(svm.cost(), 1000.0);
  }
}

TEST(LinearSvm, DependsNeitherOnThreadsNorOnTheSharedRandomState) {
  const Task task;
  const StoredSample stored(task.sample);
  const MatrixView& x = stored.problem().matrix;
  for (const SvmSolver solver : kSolvers) {
    const LinearSvmOptions options{.solver = solver, .cost = std::nullopt, .folds = 3, .seed = 5};
    std::vector<std::vector<Index>> predicted;
    std::vector<double> costs;
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      std::srand(static_cast<unsigned>(threads));
      const LinearSvm svm = train_linear_svm(x, task.train, task.sample.labels, options);
      predicted.push_back(svm.predict(x, task.test));
      costs.push_back(svm.cost());
    }
    EXPECT_EQ(predicted[0], predicted[1]);
    EXPECT_EQ(costs[0], costs[1]);
  }
}

TEST(LinearSvm, ChoosesTheSmallestOfTheCostsThatPredictBest) {
  // Far apart: every cost but the tiniest predicts all rows.
  Dense x(12, 1);
  std::vector<Index> labels;
  for (Index i = 0; i < 12; ++i) {
    x(i, 0) = i < 6 ? -10.0 - static_cast<double>(i) : 10.0 + static_cast<double>(i);
    labels.push_back(i < 6 ? 0 : 1);
  }
  const StoredSample stored({x});
  for (const SvmSolver solver : kSolvers) {
    const LinearSvm svm =
        train_linear_svm(stored.problem().matrix, all_indices(12), labels,
                         {.solver = solver, .cost = std::nullopt, .costs = {8.0, 0.5, 2.0}});
    EXPECT_EQ(svm.cost(), 0.5);
  }
  EXPECT_EQ(LinearSvmOptions::default_costs().front(), 1.0 / 32.0);
  EXPECT_EQ(LinearSvmOptions::default_costs().back(), 32768.0);
}

TEST(LinearSvm, LearnsTheSameFromProductsOfRows) {
  Task task;
  for (const bool is_sparse : {false, true}) {
    if (is_sparse)  // LIBSVM leaves zeros out of its own products
      for (double& value : task.sample.x.values)
        if (value < 0.0) value = 0.0;
    const DenseView<double> columns(task.sample.x.values.data(), 90, 8);
    RowProducts products(columns, all_indices(90), 30);
    for (const Index length : {3, 8}) {
      products.grow(length);
      const DenseView<double> prefix(columns.row(0), 90, length, 8);
      for (const std::optional<double> cost : {std::optional(1.0), std::optional<double>()}) {
        LinearSvmOptions options{.solver = SvmSolver::libsvm, .cost = cost, .seed = 3};
        const LinearSvm by_columns =
            train_linear_svm(prefix, task.train, task.sample.labels, options);
        options.on_products = true;
        const LinearSvm by_products =
            train_linear_svm(products.table(), task.train, task.sample.labels, options);
        EXPECT_EQ(by_products.predict(products.table(), task.test),
                  by_columns.predict(prefix, task.test));
        EXPECT_EQ(by_products.cost(), by_columns.cost());
      }
    }
  }
}

TEST(LinearSvm, PrintsNothing) {
  const Task task;
  const StoredSample stored(task.sample);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const SvmSolver solver : kSolvers)
    train_linear_svm(stored.problem().matrix, task.train, task.sample.labels, {.solver = solver});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(LinearSvm, RefusesWhatItCannotLearnFrom) {
  const StoredSample stored({random_table(6, 2, 1)});
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> labels{0, 0, 1, 2, -1, 0};
  const auto train = [&](const std::vector<Index>& rows, const LinearSvmOptions& options) {
    return [&x, &labels, rows, options] { train_linear_svm(x, rows, labels, options); };
  };
  EXPECT_EQ(message_of<DataError>(train({0, 1}, {})),
            "linear_svm: training rows of at least 2 classes are needed, not 1");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2, 4}, {})),
            "linear_svm: training row 4 has no label: leave it out");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2}, {.cost = -1.0})),
            "linear_svm: cost = -1 must be > 0");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2}, {.cost = HUGE_VAL})),
            "linear_svm: cost = inf is not a finite number");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2}, {.cost = std::nullopt, .costs = {}})),
            "linear_svm: there is no cost to choose from");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2}, {.on_products = true})),
            "linear_svm: only LIBSVM learns from products of rows");
  EXPECT_EQ(message_of<InvalidArgument>(train({0, 2}, {.cost = std::nullopt, .costs = {1.0, 0.0}})),
            "linear_svm: cost = 0 must be > 0 and finite");
  EXPECT_EQ(message_of<DataError>(train({0, 1, 2}, {.cost = std::nullopt})),
            "class 1 has one labeled row, but cross-validation needs at least 2 of each class: "
            "leave the class out or label more of its rows");
}

}  // namespace
}  // namespace tamis::test
