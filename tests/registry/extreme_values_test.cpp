// Whatever numbers a table holds, a method gives a result or says why not: no crash, no NaN beside
// the columns that it lists as undefined.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

using test::Sample;

/// blobs, of which some entries are 0 so that sparse storage is sparse, made extreme.
struct Case {
  std::string name;
  std::function<double(Index column, double value)> change;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double size :
       {5e-324, 1e-310, 1e-200, 1e-44, 1e19, 1e38, 1e139, 1e153, 1e154, 1e300, 1e308})
    all.push_back({fmt::format("times {}", size),
                   [size](Index, double value) { return 0.1 * value * size; }});
  for (const double offset : {1e9, 1e15})
    all.push_back(
        {fmt::format("plus {}", offset), [offset](Index, double value) { return value + offset; }});
  all.push_back({"every column of another size", [](Index column, double value) {
                   constexpr double kSizes[] = {1.0, 1e138, 1e-300, 1e-44, 1e30};
                   return 0.1 * value * kSizes[column];
                 }});
  all.push_back({"one column too large",
                 [](Index column, double value) { return column == 2 ? value * 1e307 : value; }});
  return all;
}

Sample sample_of(const Case& extreme) {
  Sample sample = test::blobs(45, 5, 4, /*seed=*/1);
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index r = 0; r < sample.x.cols; ++r) {
      double& value = sample.x(i, r);
      value = (i + r) % 3 == 0 ? 0.0 : extreme.change(r, value);
    }
  return sample;
}

bool has_nan(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double value) { return std::isnan(value); });
}

/// Calls act(problem) for every extreme table in every storage that check_problem lets through;
/// the library's own errors are an answer.
void for_each_extreme(const std::function<void(const Problem&)>& act) {
  for (const Case& extreme : cases())
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(extreme.name + ", " + test::name_of(storage));
      const test::StoredSample stored(sample_of(extreme), storage);
      try {
        check_problem(stored.problem());
        act(stored.problem());
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
}

TEST(ExtremeValues, EveryMethodRanksThemOrSaysWhyNot) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.info.name);
    for_each_extreme([&](const Problem& problem) {
      const Ranking ranking = method.rank(problem, {}, {});
      for (Index r = 0; r < problem.cols(); ++r)
        EXPECT_EQ(std::isnan(ranking.scores[r]),
                  std::ranges::count(ranking.diagnostics.undefined, r) > 0)
            << "column " << r;
    });
  }
}

TEST(ExtremeValues, EveryClusteringTakesThemOrSaysWhyNot) {
  for (const ClusteringMethod& method : clusterings()) {
    SCOPED_TRACE(method.info.name);
    for_each_extreme([&](const Problem& problem) {
      const ClusteringRun run = method.run(problem, {}, {}, {});
      EXPECT_FALSE(has_nan(run.clustering.centroids));
      EXPECT_FALSE(has_nan(run.clustering.weights));
      EXPECT_FALSE(has_nan(run.clustering.memberships));
      EXPECT_FALSE(std::isnan(run.clustering.objective));
      for (const Index cluster : run.clustering.clusters) EXPECT_GE(cluster, 0);
    });
  }
}

}  // namespace
}  // namespace tamis
