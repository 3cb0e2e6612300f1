#include "methods/states/state_information.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "support/naive_information.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

test::Sample sample_of(Index rows, Index cols, Index per_class, std::uint64_t seed) {
  test::Sample sample = test::blobs(rows, cols, per_class, seed);
  sample.labels[0] = kUnlabeled;  // classes of different sizes
  return sample;
}

TEST(StateInformation, MatchesTheDefinitionOnTheLabeledRows) {
  for (const double width : {0.5, 1.0})
    for (const Index per_class : {1, 3, 30, 60}) {
      const test::Sample sample = sample_of(200, 9, per_class + 1, /*seed=*/per_class);
      const auto states = test::naive_states(sample, width);
      const std::vector<Index> labels = test::naive_labels(sample);
      const test::StoredSample stored(sample);
      const StateInformation information(stored.problem(), {.state_width = width});
      EXPECT_NEAR(information.class_entropy(), test::naive_entropy(labels), 1e-14);
      const std::vector<Index> others = all_indices(9);
      for (Index f = 0; f < 9; ++f) {
        EXPECT_NEAR(information.entropy(f), test::naive_entropy(states[f]), 1e-14);
        EXPECT_NEAR(information.with_classes()[f], test::naive_information(states[f], labels),
                    1e-14);
        const std::vector<double> shared = information.between(f, others);
        for (const Index g : others)
          EXPECT_NEAR(shared[g], test::naive_information(states[f], states[g]), 1e-14);
      }
    }
}

TEST(StateInformation, IsSymmetricToTheBitAndTheEntropyForCopies) {
  test::Sample sample = test::blobs(150, 6, 50, /*seed=*/1);
  for (Index i = 0; i < 150; ++i) sample.x(i, 5) = -3.0 * sample.x(i, 0) + 1.0;
  const test::StoredSample stored(sample);
  const StateInformation information(stored.problem(), {});
  const std::vector<Index> others = all_indices(6);
  for (Index f = 0; f < 6; ++f)
    for (Index g = 0; g < 6; ++g)
      EXPECT_EQ(information.between(f, others)[g], information.between(g, others)[f]);
  EXPECT_EQ(information.between(0, others)[5], information.entropy(0));
  EXPECT_EQ(information.between(0, others)[0], information.entropy(0));
  EXPECT_EQ(information.with_classes()[0], information.with_classes()[5]);
}

TEST(StateInformation, IsUndefinedForConstantColumnsAndZeroForOneState) {
  test::Sample sample = test::blobs(12, 3, 2, /*seed=*/2);
  for (Index i = 0; i < 6; ++i) sample.x(i, 1) = 0.1;  // constant where labeled
  for (Index i = 0; i < 6; ++i)
    sample.x(i, 2) = static_cast<double>(i % 2);  // no value beyond 1 sd
  const test::StoredSample stored(sample);
  const StateInformation information(stored.problem(), {.state_width = 1.0});
  EXPECT_TRUE(std::isnan(information.with_classes()[1]));
  EXPECT_EQ(information.entropy(2), 0.0);
  EXPECT_EQ(information.with_classes()[2], 0.0);
  EXPECT_EQ(information.between(2, std::vector<Index>{0})[0], 0.0);
}

TEST(StateInformation, HasTheSameBitsForAnyNumberOfThreads) {
  const test::StoredSample stored(test::blobs(120, 500, 40, /*seed=*/3));
  const auto shared = [&](int threads) {
    const ThreadLimit limit(threads);
    const StateInformation information(stored.problem(), {});
    return std::pair(information.with_classes(), information.between(7, all_indices(500)));
  };
  EXPECT_EQ(shared(1), shared(3));
}

TEST(SymmetricUncertainty, IsOneForCopiesZeroForStrangersAndHasTenDecimals) {
  EXPECT_EQ(symmetric_uncertainty(0.7, 0.7, 0.7), 1.0);
  EXPECT_EQ(symmetric_uncertainty(0.0, 0.7, 0.3), 0.0);
  EXPECT_EQ(symmetric_uncertainty(0.0, 0.0, 0.0), 0.0);
  EXPECT_EQ(symmetric_uncertainty(1.0 / 3.0, 1.0, 1.0), 0.3333333333);
}

}  // namespace
}  // namespace tamis
