#include "tamis/methods/fs_manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "learners/svm_dual.hpp"
#include "methods/fs_manifold/smooth_machine.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_algebra.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(FsManifoldOptions options = {}) {
  return [options](const Problem& problem) { return fs_manifold(problem, options); };
}

/// Some rows, of which every third is labeled, on a ring of neighbours.
ManifoldRows ring(Index rows, Index cols, std::uint64_t seed) {
  const test::Dense x = test::random_table(rows, cols, seed);
  ManifoldRows made{.rows = rows, .cols = cols, .values = {x.values.begin(), x.values.end()}};
  for (Index i = 0; i < rows; ++i) {
    if (i % 3 == 0) made.labeled.push_back(i);
    made.neighbors.push_back({(i + 1) % rows, (i + rows - 1) % rows});
  }
  return made;
}

std::vector<double> alternating(const ManifoldRows& x) {
  std::vector<double> signs;
  for (std::size_t s = 0; s < x.labeled.size(); ++s) signs.push_back(s % 2 == 0 ? 1.0 : -1.0);
  return signs;
}

/// J with M = (I + rho K L)^-1 K solved column by column.
double naive_objective(const ManifoldRows& x, const std::vector<double>& p, double cost,
                       double rho) {
  const std::size_t n = x.rows;
  test::Columns k(n, std::vector<double>(n, 0.0)), l = k, system = k;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      for (Index r = 0; r < x.cols; ++r)
        k[i][j] += p[r] * x.values[i * x.cols + r] * x.values[j * x.cols + r];
    for (const Index j : x.neighbors[i]) {
      l[i][i] += 1.0 / static_cast<double>(n * n);
      l[i][j] -= 1.0 / static_cast<double>(n * n);
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      system[i][j] = i == j ? 1.0 : 0.0;
      for (std::size_t s = 0; s < n; ++s) system[i][j] += rho * k[i][s] * l[s][j];
    }
  std::vector<double> m;
  for (const Index b : x.labeled) {
    const std::vector<double> column = test::naive_solve(system, k[b]);
    for (const Index a : x.labeled) m.push_back(column[a]);
  }
  return solve_svm_dual(m, alternating(x), cost, 1e-6).objective;
}

std::vector<double> uneven_weights(Index cols) {
  std::vector<double> p;
  for (Index r = 0; r < cols; ++r)
    p.push_back(r % 4 == 1 ? 0.0 : 0.1 + 0.05 * static_cast<double>(r % 7));
  return p;
}

TEST(SmoothMachine, MatchesTheNaiveObjectiveWithFewAndWithManyColumns) {
  for (const Index cols : {5, 60})
    for (const double rho : {0.0, 1.0, 1000.0}) {
      const ManifoldRows x = ring(24, cols, /*seed=*/1);
      const std::vector<double> p = uneven_weights(cols), signs = alternating(x);
      const double found = SmoothMachine(x, signs, 2.0, rho).at(p).objective;
      EXPECT_NEAR(found, naive_objective(x, p, 2.0, rho), 1e-9 * found);
    }
}

TEST(SmoothMachine, HasTheGradientOfItsObjective) {
  for (const Index cols : {5, 60}) {
    const ManifoldRows x = ring(24, cols, /*seed=*/2);
    const std::vector<double> signs = alternating(x);
    const SmoothMachine machine(x, signs, 1.0, 50.0);
    std::vector<double> p = uneven_weights(cols);
    const std::vector<double> gradient = machine.at(p).gradient;
    for (const Index r : {0, 2, 3, 4}) {
      constexpr double kStep = 1e-6;
      const double middle = p[r];
      p[r] = middle + kStep;
      const double above = machine.at(p).objective;
      p[r] = middle - kStep;
      const double below = machine.at(p).objective;
      p[r] = middle;
      EXPECT_NEAR(gradient[r], (above - below) / (2.0 * kStep),
                  1e-5 * std::abs(gradient[r]) + 1e-7);
    }
  }
}

struct Task {
  std::vector<double> p;
  double objective;
  double gap;
};

std::vector<Task> tasks_of(const test::Sample& sample, const FsManifoldOptions& options) {
  std::vector<Task> tasks;
  tamis::Run run;
  run.trace = Trace([&](const TraceEvent& event) {
    EXPECT_EQ(event.name, "task");
    tasks.push_back({std::get<std::vector<double>>(event.fields[1].second),
                     std::get<double>(event.fields[2].second),
                     std::get<double>(event.fields[3].second)});
  });
  const Ranking ranking = fs_manifold(test::StoredSample(sample).problem(), options, run);
  EXPECT_EQ(ranking.diagnostics.converged, std::ranges::all_of(tasks, [](const Task& task) {
              return task.gap <= 1e-3 * std::abs(task.objective);
            }));
  return tasks;
}

TEST(FsManifold, SaysWhetherTheGapIsSmall) {
  for (const Index max_iter : {1, 3, 500})
    tasks_of(test::blobs(60, 12, 5, /*seed=*/3), {.max_iter = max_iter});
}

TEST(FsManifold, EndsAtASmallGapWithFeasibleWeights) {
  for (const Index n_features : {2, 5}) {
    const auto tasks =
        tasks_of(test::blobs(60, 12, 5, /*seed=*/3), {.n_features = n_features, .max_iter = 500});
    ASSERT_EQ(tasks.size(), 3U);
    for (const Task& task : tasks) {
      double total = 0.0;
      for (const double p : task.p) {
        EXPECT_TRUE(p >= 0.0 && p <= 1.0);
        total += p;
      }
      EXPECT_NEAR(total, static_cast<double>(n_features), 1e-10);
      EXPECT_LE(task.gap, 1e-3 * task.objective);
      EXPECT_GE(task.gap, -1e-9);
    }
  }
}

TEST(FsManifold, IsOneTaskForTwoClasses) {
  test::Sample sample = test::blobs(60, 8, 5, /*seed=*/4);
  for (Index& label : sample.labels) label = label == 2 ? kUnlabeled : label;
  EXPECT_EQ(tasks_of(sample, {}).size(), 1U);
}

TEST(FsManifold, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method({.n_features = 4}), test::blobs(90, 10, 6, /*seed=*/5),
                                 /*scale_power=*/0, /*precision=*/1e-7);
  test::expect_method_properties(method(), test::blobs(40, 70, 4, /*seed=*/6),
                                 /*scale_power=*/0, /*precision=*/1e-7);
}

TEST(FsManifold, PutsColumnsThatTellClassesApartFirst) {
  test::Sample sample{test::random_table(60, 20, /*seed=*/7), std::vector<Index>(60, kUnlabeled)};
  for (Index i = 0; i < 60; ++i) {
    if (i < 20) sample.labels[i] = i % 2;
    for (const Index r : {4, 11}) sample.x(i, r) += i % 2 == 0 ? 3.0 : -3.0;
  }
  const Ranking ranking = fs_manifold(test::StoredSample(sample).problem(), {.n_features = 2});
  EXPECT_EQ(std::set(ranking.order.begin(), ranking.order.begin() + 2), (std::set<Index>{4, 11}));
}

TEST(FsManifold, TiesCopies) {
  test::Sample sample = test::blobs(40, 6, 5, /*seed=*/12);
  for (Index i = 0; i < 40; ++i) sample.x(i, 4) = 0.1 * sample.x(i, 0) + 1e3;
  const Ranking ranking = fs_manifold(test::StoredSample(sample).problem(), {.n_features = 3});
  EXPECT_EQ(ranking.scores[0], ranking.scores[4]);
}

TEST(FsManifold, CutsTheNumberOfFeaturesToThoseThatVary) {
  const test::Sample sample = with_constant_column(test::blobs(30, 4, 3, /*seed=*/8), 2, 0.1);
  const Ranking ranking =
      fs_manifold(test::StoredSample(sample).problem(), {.n_features = 4, .n_neighbors = 5});
  EXPECT_EQ(ranking.diagnostics.warnings,
            std::vector<std::string>{"n_features = 4 is cut to the 3 columns that vary"});
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{2});
}

std::string complaint(const test::Sample& sample) {
  return message_of<DataError>([&] { fs_manifold(test::StoredSample(sample).problem()); });
}

TEST(FsManifold, RefusesTooFewClassesConstantColumnsAndTooManyRows) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/9);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(complaint(sample),
            "fs_manifold needs labels of at least two classes, and the 3 labeled rows all belong "
            "to one");
  sample.labels.clear();
  EXPECT_EQ(complaint(sample), "fs_manifold needs labels, and no row has one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(complaint(sample),
            "fs_manifold: every column of the table is constant, so there is nothing to rank");
  EXPECT_EQ(complaint(test::blobs(20'001, 1, 2, /*seed=*/10)),
            "fs_manifold forms a matrix of every two rows, and 20001 are more than the 20000 that "
            "it takes; take fewer rows");
}

TEST(FsManifold, RefusesOptionsOutOfRange) {
  const test::StoredSample stored(test::blobs(30, 3, 3, /*seed=*/11));
  EXPECT_EQ(message_of<InvalidArgument>([&] { fs_manifold(stored.problem(), {.cost = 0.0}); }),
            "fs_manifold: cost = 0 must be > 0");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { fs_manifold(stored.problem(), {.smoothness = -1.0}); }),
      "fs_manifold: smoothness = -1 must be >= 0");
}

}  // namespace
}  // namespace tamis
