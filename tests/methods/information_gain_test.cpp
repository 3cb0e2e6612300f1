#include "tamis/methods/information_gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "support/naive_information.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(InformationGainOptions options = {}) {
  return [options](const Problem& problem) { return information_gain(problem, options); };
}

std::vector<double> naive(const test::Sample& sample, double width) {
  const auto states = test::naive_states(sample, width);
  return naive_scores(sample.x, [&](Index r) {
    return test::naive_information(states[r], test::naive_labels(sample));
  });
}

TEST(InformationGain, MatchesTheNaiveFormula) {
  test::Sample unbalanced = test::blobs(80, 8, 9, /*seed=*/1);
  unbalanced.labels[0] = unbalanced.labels[3] = kUnlabeled;
  const test::Sample sparse{test::sparse_table(45, 6, /*seed=*/2), test::blobs(45, 1, 9, 0).labels};
  for (const double width : {0.5, 1.0, 2.5})
    for (const test::Sample& sample : {unbalanced, sparse, test::blobs(200, 5, 60, /*seed=*/3)})
      test::expect_matches(method({.states = {.state_width = width}}), sample,
                           naive(sample, width));
}

TEST(InformationGain, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs(60, 40, 4, /*seed=*/3));
  test::expect_method_properties(method(), test::blobs(150, 70, 50, /*seed=*/4));
}

TEST(InformationGain, HasTheGoldenValues) {
  test::expect_golden<InformationGainOptions>(information_gain);
}

TEST(InformationGain, IsTheEntropyOfBalancedClassesForAColumnThatEqualsThem) {
  test::Sample sample{test::random_table(20, 2, /*seed=*/5), std::vector<Index>(20)};
  for (Index i = 0; i < 20; ++i) {
    sample.labels[i] = i % 2;
    sample.x(i, 1) = static_cast<double>(i % 2);
  }
  const test::StoredSample stored(sample);
  const Ranking ranking = information_gain(stored.problem());
  EXPECT_NEAR(ranking.scores[1], std::log(2.0), 1e-15);
  EXPECT_EQ(ranking.order.front(), 1);
}

TEST(InformationGain, IsZeroForAColumnThatVariesWithinOneState) {
  test::Sample sample = test::blobs(30, 3, 4, /*seed=*/6);
  for (Index i = 0; i < 12; ++i) sample.x(i, 2) = static_cast<double>(i % 2);
  const test::StoredSample stored(sample);
  const Ranking ranking = information_gain(stored.problem(), {.states = {.state_width = 1.0}});
  EXPECT_EQ(ranking.scores[2], 0.0);
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
}

TEST(InformationGain, TakesClassesOfOneRow) {
  test::Sample sample = test::blobs(9, 4, 1, /*seed=*/7);
  test::expect_matches(method(), sample, naive(sample, 0.5));
}

TEST(InformationGain, LeavesColumnsUndefinedThatAreConstantOnTheLabeledRows) {
  test::Sample sample = test::blobs(30, 3, 2, /*seed=*/8);
  for (Index i = 0; i < 6; ++i) sample.x(i, 1) = 0.1;
  EXPECT_EQ(information_gain(test::StoredSample(sample).problem()).diagnostics.undefined,
            std::vector<Index>{1});
}

TEST(InformationGain, RefusesTooFewClassesConstantColumnsAndNoWidth) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/9);
  const auto complaint = [&] {
    return message_of<DataError>([&] { information_gain(test::StoredSample(sample).problem()); });
  };
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  EXPECT_EQ(complaint(),
            "information_gain needs labels of at least two classes, and the 3 labeled rows all "
            "belong to one");
  sample.labels.clear();
  EXPECT_EQ(complaint(), "information_gain needs labels, and no row has one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(complaint(),
            "information_gain: every column is constant over the labeled rows; label more rows");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              information_gain(test::StoredSample(sample).problem(),
                               {.states = {.state_width = 0.0}});
            }),
            "information_gain: state_width = 0 must be > 0");
}

}  // namespace
}  // namespace tamis
