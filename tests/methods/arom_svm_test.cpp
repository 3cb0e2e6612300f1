#include "tamis/methods/arom_svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learners/svm_dual.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_algebra.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(AromSvmOptions options = {}) {
  return [options](const Problem& problem) { return arom_svm(problem, options); };
}

std::vector<Index> labeled_rows_of(const test::Sample& sample) {
  std::vector<Index> rows;
  for (Index i = 0; i < sample.x.rows; ++i)
    if (sample.labels[i] != kUnlabeled) rows.push_back(i);
  return rows;
}

/// Columns standardised on the labeled rows.
test::Columns standard_columns(const test::Sample& sample) {
  test::Columns columns;
  for (Index r = 0; r < sample.x.cols; ++r) {
    std::vector<double> column;
    for (const Index i : labeled_rows_of(sample)) column.push_back(sample.x(i, r));
    column = test::naive_centered(column);
    const double sd =
        std::sqrt(test::naive_dot(column, column) / static_cast<double>(column.size()));
    for (double& value : column) value /= sd;
    columns.push_back(column);
  }
  return columns;
}

/// |w| of one class against the rest on x o z.
std::vector<double> naive_machine(const test::Columns& x, const std::vector<double>& z,
                                  const std::vector<double>& signs, double cost) {
  const std::size_t n = signs.size();
  std::vector<double> kernel(n * n, 0.0);
  for (std::size_t r = 0; r < x.size(); ++r)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) kernel[i * n + j] += z[r] * x[r][i] * z[r] * x[r][j];
  std::vector<double> beta = solve_svm_dual(kernel, signs, cost, 1e-6).alpha;
  for (std::size_t i = 0; i < n; ++i) beta[i] *= signs[i];
  std::vector<double> w;
  for (std::size_t r = 0; r < x.size(); ++r)
    w.push_back(std::abs(z[r] * test::naive_dot(x[r], beta)));
  return w;
}

std::vector<double> naive_scores(const test::Sample& sample, const AromSvmOptions& options) {
  const test::Columns x = standard_columns(sample);
  std::vector<double> z(x.size(), 1.0), scores(x.size(), 1.0);
  for (Index t = 1; t <= options.n_rounds; ++t) {
    std::vector<double> total(x.size(), 0.0);
    for (const Index label : {0, 1, 2}) {
      std::vector<double> signs;
      for (const Index i : labeled_rows_of(sample))
        signs.push_back(sample.labels[i] == label ? 1.0 : -1.0);
      if (std::ranges::count(signs, 1.0) == 0) continue;
      const std::vector<double> w = naive_machine(x, z, signs, options.cost);
      for (std::size_t r = 0; r < x.size(); ++r) total[r] += w[r];
    }
    double largest = 0.0, change = 0.0;
    for (std::size_t r = 0; r < x.size(); ++r) largest = std::max(largest, total[r] *= z[r]);
    for (std::size_t r = 0; r < x.size(); ++r) {
      const double next = total[r] / largest < 1e-12 ? 0.0 : total[r] / largest;
      change = std::max(change, std::abs(next - z[r]));
      z[r] = next;
      if (next > 0.0) scores[r] = static_cast<double>(t) + next;
    }
    if (change < 1e-6) break;
  }
  return scores;
}

TEST(AromSvm, MatchesTheNaiveRounds) {
  test::Sample two = test::blobs(60, 6, 12, /*seed=*/1);
  for (Index& label : two.labels) label = label == 2 ? kUnlabeled : label;
  const test::Sample sparse{test::sparse_table(60, 12, /*seed=*/2),
                            test::blobs(60, 1, 10, 0).labels};
  for (const test::Sample& sample : {test::blobs(40, 30, 4, /*seed=*/3), two, sparse})
    for (const Index rounds : {1, 20})
      for (const double cost : {1.0, 1000.0}) {
        const AromSvmOptions options{.cost = cost, .n_rounds = rounds};
        const std::vector<double> expected = naive_scores(sample, options);
        for (const test::Storage storage : test::kStorages) {
          const test::StoredSample stored(sample, storage);
          test::expect_scores_near(arom_svm(stored.problem(), options).scores, expected, 1e-8);
        }
      }
}

TEST(AromSvm, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs(120, 30, 6, /*seed=*/4));
  test::expect_method_properties(method({.cost = 1.0, .n_rounds = 5}),
                                 test::blobs(120, 5, 30, /*seed=*/5));
}

TEST(AromSvm, KeepsTheOnlyColumnThatTellsTheClassesApart) {
  test::Sample sample{test::random_table(40, 20, /*seed=*/6), std::vector<Index>(40)};
  for (Index i = 0; i < 40; ++i) {
    sample.labels[i] = i % 2;
    sample.x(i, 7) += i % 2 == 0 ? 6.0 : -6.0;
  }
  const Ranking ranking = arom_svm(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.order.front(), 7);
  const auto last = static_cast<double>(ranking.diagnostics.iterations);
  EXPECT_EQ(ranking.scores[7], last + 1.0);
  EXPECT_EQ(std::ranges::count_if(ranking.scores, [&](double s) { return s > last; }), 1);
  EXPECT_TRUE(ranking.diagnostics.converged);
}

TEST(AromSvm, TiesCopies) {
  test::Sample sample = test::blobs(40, 6, 5, /*seed=*/7);
  for (Index i = 0; i < 40; ++i) sample.x(i, 4) = 0.1 * sample.x(i, 0) + 1e3;
  const Ranking ranking = arom_svm(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.scores[0], ranking.scores[4]);
}

TEST(AromSvm, TracesEachRound) {
  const test::StoredSample stored(
      with_constant_column(test::blobs(30, 5, 4, /*seed=*/8), /*column=*/2, 0.1));
  std::vector<TraceEvent> events;
  tamis::Run run;
  run.trace = Trace([&](const TraceEvent& event) { events.push_back(event); });
  const Ranking ranking = arom_svm(stored.problem(), {.n_rounds = 3}, run);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[2].name, "round");
  EXPECT_EQ(std::get<Index>(events[2].fields[0].second), 3);
  const auto& z = std::get<std::vector<double>>(events[2].fields[1].second);
  EXPECT_TRUE(std::isnan(z[2]));
  for (const Index r : {0, 1, 3, 4}) EXPECT_NEAR(ranking.scores[r], 3.0 + z[r], 1e-8);
}

TEST(AromSvm, LeavesOutColumnsThatAreConstantOnTheLabeledRows) {
  test::Sample sample = test::blobs(30, 4, 3, /*seed=*/9);
  for (Index i = 0; i < 9; ++i) sample.x(i, 2) = 0.1;
  const Ranking ranking = arom_svm(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{2});
}

std::string complaint(const test::Sample& sample) {
  return message_of<DataError>([&] { arom_svm(test::StoredSample(sample).problem()); });
}

TEST(AromSvm, RefusesTooFewClassesConstantColumnsAndTooManyRows) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/10);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(complaint(sample),
            "arom_svm needs labels of at least two classes, and the 3 labeled rows all belong to "
            "one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(complaint(sample),
            "arom_svm: every column is constant over the labeled rows; label more rows");
  sample = test::blobs(20'001, 1, 20'001, /*seed=*/11);
  EXPECT_EQ(complaint(sample),
            "arom_svm forms a matrix of every two labeled rows, and 20001 are more than the 20000 "
            "that it takes; take fewer rows");
}

/// Corners of a square, opposite ones of one class: the best plane is none.
TEST(AromSvm, RefusesClassesThatNoPlaneTellsApart) {
  test::Sample sample{test::Dense(4, 2), {0, 1, 1, 0}};
  sample.x.values = {0, 0, 0, 1, 1, 0, 1, 1};
  EXPECT_EQ(complaint(sample), "arom_svm: no linear machine tells the classes apart by any column");
}

TEST(AromSvm, RefusesOptionsOutOfRange) {
  const test::StoredSample stored(test::blobs(30, 3, 3, /*seed=*/12));
  EXPECT_EQ(message_of<InvalidArgument>([&] { arom_svm(stored.problem(), {.cost = 0.0}); }),
            "arom_svm: cost = 0 must be > 0");
  EXPECT_EQ(message_of<InvalidArgument>([&] { arom_svm(stored.problem(), {.n_rounds = 0}); }),
            "arom_svm: n_rounds = 0 must be >= 1");
}

}  // namespace
}  // namespace tamis
