#include "tamis/methods/csfsr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "redundancy/correlation.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/laplacian_score.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

using test::Dense;
using test::Sample;
using test::StoredSample;

Ranking by_laplacian(const Problem& problem, const tamis::Run& /*run*/ = {}) {
  return laplacian_score(problem);
}
Ranking by_variance(const Problem& problem, const tamis::Run& /*run*/ = {}) {
  return variance(problem);
}

/// Wide data in which columns follow each other and differ in variance.
Sample related_sample(Index rows, Index cols, std::uint64_t seed) {
  Sample sample = test::blobs(rows, cols, 2, seed);
  for (Index i = 0; i < rows; ++i)
    for (Index r = 3; r < cols; ++r)
      sample.x(i, r) = static_cast<float>((sample.x(i, r % 3) + 0.5 * sample.x(i, r)) *
                                          (1.0 + 0.1 * static_cast<double>(r % 7)));
  return sample;
}

/// Algorithm 12 word for word on a list of alive features.
std::vector<Index> naive_subset(const Ranking& base, Index h,
                                const std::vector<Redundancy::Edge>& tree, double threshold) {
  std::map<Index, bool> is_alive;
  for (Index k = 0; k < h; ++k) is_alive[base.order[k]] = true;
  std::vector<Index> kept;
  for (Index k = 0; k < h; ++k) {
    const Index feature = base.order[k];
    if (!is_alive[feature]) continue;
    kept.push_back(feature);
    for (const auto& edge : tree) {
      if (edge.correlation < threshold) continue;
      if (edge.first == feature) is_alive[edge.second] = false;
      if (edge.second == feature) is_alive[edge.first] = false;
    }
  }
  return kept;
}

TEST(Csfsr, KeepsTheGoldenSubsets) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    std::ifstream file(source_root() / "tests/data/golden" / (std::string(name) + ".json"));
    const auto expected = nlohmann::json::parse(file)["spanning_tree"];
    ASSERT_EQ(expected["base"], "laplacian_score");
    const Sample sample = test::load_golden(name).sample;
    for (const test::Storage storage : test::kStorages) {
      const StoredSample stored(sample, storage);
      EXPECT_EQ(csfsr(stored.problem(), {}, by_laplacian).subset,
                expected["kept"].get<std::vector<Index>>());
    }
  }
}

TEST(Csfsr, FollowsTheAlgorithmForAnyThresholdAndNumberOfCandidates) {
  const StoredSample stored(related_sample(40, 30, /*seed=*/1));
  const Ranking base = by_variance(stored.problem());
  for (const Index h : {1, 2, 12, 30})
    for (const double threshold : {0.0, 0.5, 0.9, 1.0}) {
      SCOPED_TRACE(testing::Message() << "h = " << h << ", threshold = " << threshold);
      const Ranking ranking =
          csfsr(stored.problem(), {.h = h, .threshold = threshold}, by_variance);
      const auto& [tree, removed, rate, mean] = *ranking.redundancy;
      EXPECT_EQ(std::ssize(tree), h - 1);
      EXPECT_EQ(*ranking.subset, naive_subset(base, h, tree, threshold));
      EXPECT_EQ(std::ssize(*ranking.subset) + std::ssize(removed), h);
      EXPECT_EQ(rate, redundancy_rate(stored.problem().matrix, *ranking.subset));
      EXPECT_EQ(mean, 2.0 * rate);
    }
}

TEST(Csfsr, KeepsTheScoresAndOrdersKeptThenRemovedThenTheRest) {
  const StoredSample stored(related_sample(40, 30, /*seed=*/2));
  const Ranking base = by_variance(stored.problem());
  const Ranking ranking = csfsr(stored.problem(), {.h = 12}, by_variance);
  EXPECT_EQ(ranking.scores, base.scores);
  EXPECT_EQ(ranking.better, base.better);
  std::vector<Index> expected = *ranking.subset;
  for (const auto& removal : ranking.redundancy->removed) expected.push_back(removal.feature);
  EXPECT_EQ(expected.size(), 12U);
  expected.insert(expected.end(), base.order.begin() + 12, base.order.end());
  EXPECT_EQ(ranking.order, expected);
  const auto place = [&](Index feature) { return std::ranges::find(base.order, feature); };
  EXPECT_TRUE(std::ranges::is_sorted(*ranking.subset, {}, place));
  EXPECT_TRUE(std::ranges::is_sorted(ranking.redundancy->removed, {},
                                     [&](const auto& removal) { return place(removal.feature); }));
}

TEST(Csfsr, NamesForEachRemovalAKeptFeatureThatRanksBetter) {
  const StoredSample stored(related_sample(50, 40, /*seed=*/3));
  const Ranking base = by_variance(stored.problem());
  const Ranking ranking = csfsr(stored.problem(), {}, by_variance);
  ASSERT_FALSE(ranking.redundancy->removed.empty());
  for (const auto& [feature, because_of, correlation] : ranking.redundancy->removed) {
    EXPECT_EQ(std::ranges::count(*ranking.subset, because_of), 1);
    EXPECT_LT(std::ranges::find(base.order, because_of), std::ranges::find(base.order, feature));
    const std::vector<Index> both{feature, because_of};
    EXPECT_NEAR(correlation, mean_absolute_correlation(stored.problem().matrix, both), 1e-15);
  }
}

TEST(Csfsr, RemovesTheCopyOfAKeptFeatureAndKeepsItsTwin) {
  Sample sample = related_sample(40, 20, /*seed=*/4);
  const std::vector<Index> kept = *csfsr(StoredSample(sample).problem(), {}, by_variance).subset;
  for (const Index twin : kept) {
    Sample larger{Dense(40, 21), sample.labels};
    for (Index i = 0; i < 40; ++i) {
      for (Index r = 0; r < 20; ++r) larger.x(i, r) = sample.x(i, r);
      larger.x(i, 20) = sample.x(i, twin);
    }
    for (const test::Storage storage : test::kStorages)
      EXPECT_EQ(csfsr(StoredSample(larger, storage).problem(), {}, by_variance).subset, kept);
  }
}

TEST(Csfsr, KeepsEverythingUncorrelatedAboveTheThreshold) {
  const StoredSample stored({test::random_table(500, 6, /*seed=*/5)});
  EXPECT_EQ(csfsr(stored.problem(), {.threshold = 0.5}, by_variance).subset->size(), 6U);
  EXPECT_LT(csfsr(stored.problem(), {}, by_variance).subset->size(), 6U);
}

TEST(Csfsr, HasThePropertiesOfEveryMethod) {
  test::expect_method_properties(
      [](const Problem& problem) { return csfsr(problem, {}, by_laplacian); },
      test::blobs(30, 6, 3, /*seed=*/6));
}

TEST(Csfsr, ChoosesTheSameSubsetForAnyNumberOfThreads) {
  const StoredSample stored(related_sample(100, 150, /*seed=*/7));
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return csfsr(stored.problem(), {}, by_variance);
  };
  EXPECT_EQ(run(1).order, run(3).order);
  EXPECT_EQ(run(1).redundancy->rate, run(3).redundancy->rate);
}

TEST(Csfsr, LeavesOutFeaturesWithoutAScore) {
  const Sample sample = test::with_constant_column(related_sample(40, 5, /*seed=*/8), 1, 0.1);
  const StoredSample stored(sample);
  const Ranking ranking = csfsr(stored.problem(), {.threshold = 1.0}, by_laplacian);
  EXPECT_EQ(ranking.subset->size(), 4U);
  EXPECT_EQ(ranking.order.back(), 1);
  const Ranking with_score = csfsr(stored.problem(), {.threshold = 1.0}, by_variance);
  EXPECT_EQ(with_score.subset->size(), 5U);
}

TEST(Csfsr, CutsMoreCandidatesThanFeaturesWithAWarning) {
  const StoredSample stored(related_sample(40, 5, /*seed=*/9));
  const Ranking cut = csfsr(stored.problem(), {.h = 6}, by_variance);
  EXPECT_EQ(cut.diagnostics.warnings,
            std::vector<std::string>{"csfsr: h = 6 is cut to the 5 features that have a score"});
  const Ranking all = csfsr(stored.problem(), {.h = 5}, by_variance);
  EXPECT_TRUE(all.diagnostics.warnings.empty());
  EXPECT_EQ(all.subset, cut.subset);
}

TEST(Csfsr, RefusesOptionsOutOfRange) {
  const StoredSample stored(related_sample(40, 5, /*seed=*/10));
  const auto complaint = [&](const CsfsrOptions& options) {
    return message_of<InvalidArgument>([&] { csfsr(stored.problem(), options, by_variance); });
  };
  EXPECT_EQ(complaint({.h = 0}), "csfsr: h = 0 must be >= 1");
  EXPECT_EQ(complaint({.threshold = 1.5}), "csfsr: threshold = 1.5 must be in [0, 1]");
  EXPECT_EQ(complaint({.threshold = -0.1}), "csfsr: threshold = -0.1 must be in [0, 1]");
}

}  // namespace
}  // namespace tamis
