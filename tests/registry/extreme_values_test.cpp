// Whatever a table is like, a method gives a result or says why not: no crash, no NaN beside the
// columns that it lists as undefined, and soon.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>

#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/methods.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis {
namespace {

using test::Sample;

struct Case {
  std::string name;
  Sample sample;
  std::vector<test::Storage> storages = {std::begin(test::kStorages), std::end(test::kStorages)};
};

using Change = std::function<double(Index column, double value)>;

/// blobs, of which some entries are 0 so that sparse storage is sparse, made extreme.
Sample changed_blobs(const Change& change) {
  Sample sample = test::blobs(45, 5, 4, /*seed=*/1);
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index r = 0; r < sample.x.cols; ++r) {
      double& value = sample.x(i, r);
      value = (i + r) % 3 == 0 ? 0.0 : change(r, value);
    }
  return sample;
}

std::vector<Case> extreme_values() {
  std::vector<Case> all;
  const auto add = [&](std::string name, const Change& change) {
    all.push_back({std::move(name), changed_blobs(change)});
  };
  for (const double size :
       {5e-324, 1e-310, 1e-200, 1e-44, 1e19, 1e38, 1e139, 1e153, 1e154, 1e300, 1e308})
    add(fmt::format("times {}", size), [size](Index, double value) { return 0.1 * value * size; });
  for (const double offset : {1e9, 1e15})
    add(fmt::format("plus {}", offset), [offset](Index, double value) { return value + offset; });
  add("every column of another size", [](Index column, double value) {
    constexpr double kSizes[] = {1.0, 1e138, 1e-300, 1e-44, 1e30};
    return 0.1 * value * kSizes[column];
  });
  add("one column too large",
      [](Index column, double value) { return column == 2 ? value * 1e307 : value; });
  return all;
}

/// Each row is in one of so many classes, and has a label.
Sample all_labeled(Index rows, Index cols, Index classes) {
  Sample sample = test::blobs(rows, cols, /*per_class=*/0, /*seed=*/2);
  for (Index i = 0; i < rows; ++i) sample.labels[i] = i % classes;
  return sample;
}

Sample filled(Sample sample, const std::function<double(Index column)>& value) {
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index r = 0; r < sample.x.cols; ++r) sample.x(i, r) = value(r);
  return sample;
}

std::vector<Case> extreme_tables() {
  const Sample usual = test::blobs(30, 4, 3, /*seed=*/1);
  Sample unknown = usual;
  unknown.labels.clear();
  std::vector<Case> all{
      {"one entry", all_labeled(1, 1, 1)},
      {"one row", all_labeled(1, 4, 1)},
      {"two rows", all_labeled(2, 4, 2)},
      {"two rows of one class", all_labeled(2, 4, 1)},
      {"one column", test::blobs(30, 1, 3, /*seed=*/1)},
      {"many columns", test::blobs(9, 300, 2, /*seed=*/1)},
      {"all zero", filled(usual, [](Index) { return 0.0; })},
      {"one value everywhere", filled(usual, [](Index) { return 3.5; })},
      {"all rows equal",
       filled(usual, [](Index column) { return 1.0 + 2.0 * static_cast<double>(column); })},
      {"a thousand classes", all_labeled(1100, 3, 1000), {test::Storage::csr_float}},
      {"a class for each row", all_labeled(30, 4, 30)},
      {"all labeled", all_labeled(30, 4, 3)},
      {"all of one class", all_labeled(30, 4, 1)},
      {"nothing known", unknown},
  };
  Sample one_differs = filled(usual, [](Index) { return 0.0; });
  one_differs.x(7, 2) = 1.0;
  all.push_back({"one entry that is not zero", one_differs});
  Sample lonely = usual;
  std::ranges::replace(lonely.labels, Index{0}, kUnlabeled);
  lonely.labels[0] = 0;
  all.push_back({"a class of one row", lonely});
  return all;
}

bool has_nan(const auto& values) {
  return std::ranges::any_of(values, [](double value) { return std::isnan(value); });
}

/// Calls act(problem) for every table in every storage that check_problem lets through; the
/// library's own errors are an answer, and both must come within a generous time of CPU.
void for_each_storage(const std::vector<Case>& cases,
                      const std::function<void(const Problem&)>& act) {
#ifdef TAMIS_SANITIZED
  constexpr double kMostSeconds = 100.0;
#else
  constexpr double kMostSeconds = 10.0;
#endif
  for (const Case& extreme : cases)
    for (const test::Storage storage : extreme.storages) {
      SCOPED_TRACE(extreme.name + ", " + test::name_of(storage));
      const test::StoredSample stored(extreme.sample, storage);
      const std::clock_t begin = std::clock();
      try {
        check_problem(stored.problem());
        act(stored.problem());
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
      EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, kMostSeconds);
    }
}

/// Little patience: what many classes cost is known, and they need not be sorted well here.
OptionTexts patience(const std::vector<OptionInfo>& options) {
  const OptionTexts little = {{"restarts", "1"}, {"max_iter", "3"}, {"n_rounds", "3"},
                              {"tries", "1"},    {"n_bags", "10"},  {"n_members", "10"}};
  OptionTexts texts;
  for (const OptionInfo& option : options)
    if (const auto found = little.find(option.name); found != little.end()) texts.insert(*found);
  return texts;
}

void check_every_method(const std::vector<Case>& cases) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.info.name);
    for_each_storage(cases, [&](const Problem& problem) {
      const Ranking ranking = method.rank(problem, patience(method.options), {});
      EXPECT_LT(std::ssize(ranking.diagnostics.undefined), problem.cols());
      std::vector<Index> order = ranking.order;
      std::ranges::sort(order);
      EXPECT_EQ(order, all_indices(problem.cols()));
      for (Index r = 0; r < problem.cols(); ++r)
        EXPECT_EQ(std::isnan(ranking.scores[r]),
                  std::ranges::count(ranking.diagnostics.undefined, r) > 0)
            << "column " << r;
    });
  }
}

void check_every_clustering(const std::vector<Case>& cases) {
  for (const ClusteringMethod& method : clusterings()) {
    SCOPED_TRACE(method.info.name);
    for_each_storage(cases, [&](const Problem& problem) {
      const ClusteringRun run = method.run(problem, patience(method.options), {}, {});
      EXPECT_FALSE(has_nan(run.clustering.centroids));
      EXPECT_FALSE(has_nan(run.clustering.weights));
      EXPECT_FALSE(has_nan(run.clustering.memberships));
      EXPECT_FALSE(std::isnan(run.clustering.objective));
      for (const Index cluster : run.clustering.clusters) EXPECT_GE(cluster, 0);
    });
  }
}

void check_every_projection(const std::vector<Case>& cases) {
  for (const ProjectionMethod& method : projections()) {
    SCOPED_TRACE(method.info.name);
    for_each_storage(cases, [&](const Problem& problem) {
      const Projection found = method.project(problem, {}, {});
      EXPECT_FALSE(has_nan(found.eigenvalues));
      EXPECT_FALSE(has_nan(found.components.values));
      EXPECT_FALSE(has_nan(found.projected.values));
    });
  }
}

TEST(ExtremeValues, EveryMethodRanksThemOrSaysWhyNot) { check_every_method(extreme_values()); }
TEST(ExtremeValues, EveryClusteringTakesThemOrSaysWhyNot) {
  check_every_clustering(extreme_values());
}
TEST(ExtremeValues, EveryProjectionTakesThemOrSaysWhyNot) {
  check_every_projection(extreme_values());
}
TEST(ExtremeTables, EveryMethodRanksThemOrSaysWhyNot) { check_every_method(extreme_tables()); }
TEST(ExtremeTables, EveryClusteringTakesThemOrSaysWhyNot) {
  check_every_clustering(extreme_tables());
}
TEST(ExtremeTables, EveryProjectionTakesThemOrSaysWhyNot) {
  check_every_projection(extreme_tables());
}

}  // namespace
}  // namespace tamis
