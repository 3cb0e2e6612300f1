#include "tamis/methods/mrmr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_information.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/information_gain.hpp"

namespace tamis {
namespace {

test::Rank method(MrmrOptions options = {}) {
  return [options](const Problem& problem) { return mrmr(problem, options); };
}

/// The greedy choice word for word: every information is computed anew at every step.
SelectionPath naive_path(const test::Sample& sample, const MrmrOptions& options) {
  const auto states = test::naive_states(sample, options.states.state_width);
  const std::vector<Index> labels = test::naive_labels(sample);
  SelectionPath path;
  while (std::ssize(path.features) < std::min(options.max_features, sample.x.cols)) {
    Index best = -1;
    double best_criterion = 0.0;
    for (Index r = 0; r < sample.x.cols; ++r) {
      if (std::ranges::count(path.features, r) > 0) continue;
      const double relevance = test::naive_information(states[r], labels);
      double redundancy = 0.0;
      for (const Index s : path.features)
        redundancy += test::naive_information(states[r], states[s]);
      redundancy /= std::max(1.0, static_cast<double>(path.features.size()));
      double criterion = relevance - redundancy;
      if (options.scheme == MrmrScheme::miq && !path.features.empty())
        criterion = relevance / (redundancy + 0.01);
      if (best < 0 || criterion > best_criterion + 1e-10) {
        best = r;
        best_criterion = criterion;
      }
    }
    path.features.push_back(best);
    path.criterion.push_back(best_criterion);
  }
  return path;
}

TEST(Mrmr, MatchesTheNaiveChoice) {
  const test::Sample sparse{test::sparse_table(60, 12, /*seed=*/2),
                            test::blobs(60, 1, 15, 0).labels};
  for (const MrmrScheme scheme : {MrmrScheme::mid, MrmrScheme::miq})
    for (const Index steps : {1, 5, 200})
      for (const test::Sample& sample : {test::blobs(90, 14, 25, /*seed=*/1), sparse}) {
        const MrmrOptions options{.scheme = scheme, .max_features = steps};
        const SelectionPath expected = naive_path(sample, options);
        for (const test::Storage storage : test::kStorages) {
          const test::StoredSample stored(sample, storage);
          const Ranking ranking = mrmr(stored.problem(), options);
          EXPECT_EQ(ranking.path->features, expected.features);
          test::expect_scores_near(ranking.path->criterion, expected.criterion, 1e-11);
        }
      }
}

TEST(Mrmr, HasThePropertiesOfAMethod) {
  for (const MrmrScheme scheme : {MrmrScheme::mid, MrmrScheme::miq})
    test::expect_method_properties(method({.scheme = scheme}),
                                   test::blobs(240, 40, 75, /*seed=*/3));
}

TEST(Mrmr, HasTheGoldenValues) { test::expect_golden_paths<MrmrOptions>(mrmr); }

TEST(Mrmr, BeginsWithTheBestOfInformationGain) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const test::StoredSample stored(
        {test::integer_table(24, 15, seed), test::blobs(24, 1, 4, seed).labels});
    EXPECT_EQ(mrmr(stored.problem()).path->features.front(),
              information_gain(stored.problem()).order.front());
  }
}

TEST(Mrmr, PutsACopyOfTheFirstChoiceBehindAFeatureOfItsOwn) {
  // f0 tells the classes apart, f1 repeats it; f2 tells less, but something else.
  test::Sample sample{test::Dense(8, 3), {0, 0, 0, 0, 1, 1, 1, 1}};
  sample.x.values = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1};
  const test::StoredSample stored(sample);
  EXPECT_EQ(mrmr(stored.problem()).path->features, (std::vector<Index>{0, 2, 1}));
}

TEST(Mrmr, ChoosesTheSamePrefixForAnyLength) {
  const test::StoredSample stored(test::blobs(90, 30, 30, /*seed=*/4));
  const std::vector<Index> all = mrmr(stored.problem()).path->features;
  ASSERT_EQ(all.size(), 30U);
  for (const Index length : {1, 7, 29}) {
    const Ranking some = mrmr(stored.problem(), {.max_features = length});
    EXPECT_EQ(some.path->features, std::vector(all.begin(), all.begin() + length));
    EXPECT_TRUE(some.diagnostics.undefined.empty());
  }
}

TEST(Mrmr, LeavesOutColumnsThatAreConstantOnTheLabeledRows) {
  test::Sample sample = test::blobs(30, 4, 3, /*seed=*/5);
  for (Index i = 0; i < 9; ++i) sample.x(i, 2) = 0.1;
  const Ranking ranking = mrmr(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.path->features.size(), 3U);
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{2});
}

TEST(Mrmr, RefusesTooFewClassesConstantColumnsAndNoFeatures) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/6);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(message_of<DataError>([&] { mrmr(test::StoredSample(sample).problem()); }),
            "mrmr needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(message_of<DataError>([&] { mrmr(test::StoredSample(sample).problem()); }),
            "mrmr: every column is constant over the labeled rows; label more rows");
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { mrmr(test::StoredSample(sample).problem(), {.max_features = 0}); }),
            "mrmr: max_features = 0 must be >= 1");
}

}  // namespace
}  // namespace tamis
