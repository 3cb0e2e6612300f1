#include "evaluation/metrics.hpp"

#include <cmath>

#include "core/random.hpp"
#include "redundancy/correlation.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis::test {
namespace {

using Labels = std::vector<Index>;

Labels random_labels(Index rows, Index classes, std::uint64_t seed) {
  RandomStream random(seed);
  Labels labels(rows);
  for (Index& label : labels) label = random.below(classes);
  return labels;
}

TEST(Accuracy, IsTheShareOfRightRows) {
  EXPECT_EQ(accuracy(Labels{0, 1, 1, 2}, Labels{0, 1, 2, 1}), 0.5);
}

TEST(BalancedAccuracy, CountsClassesNotRows) {
  EXPECT_EQ(balanced_accuracy(Labels{0, 0, 0, 0, 1, 1}, Labels{0, 0, 0, 0, 0, 1}), 0.75);
  EXPECT_EQ(balanced_accuracy(Labels{3, 3, 5}, Labels{3, 9, 9}), 0.25);
}

TEST(RandIndex, EqualsCountingPairs) {
  const Labels a = random_labels(40, 3, 1);
  const Labels b = random_labels(40, 5, 2);
  double alike = 0.0;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < i; ++j) alike += (a[i] == a[j]) == (b[i] == b[j]) ? 1.0 : 0.0;
  EXPECT_DOUBLE_EQ(rand_index(a, b), alike / (40.0 * 39.0 / 2.0));
  EXPECT_EQ(rand_index(Labels{4}, Labels{2}), 1.0);
}

TEST(ClusterComparisons, IgnoreNamesOfClustersAndAreOneForEqualPartitions) {
  const Labels a{0, 0, 1, 1, 2};
  const Labels renamed{7, 7, 3, 3, 5};
  for (const auto compare : {rand_index, adjusted_rand_index, normalized_mutual_information})
    EXPECT_DOUBLE_EQ(compare(a, renamed), 1.0);
  const Labels whole{0, 0, 0};
  const Labels single{0, 1, 2};
  EXPECT_EQ(adjusted_rand_index(whole, whole), 1.0);
  EXPECT_EQ(adjusted_rand_index(single, single), 1.0);
  EXPECT_EQ(adjusted_rand_index(whole, single), 0.0);
  EXPECT_EQ(normalized_mutual_information(whole, whole), 1.0);
  EXPECT_EQ(normalized_mutual_information(whole, single), 0.0);
}

TEST(AdjustedRandIndex, IsNearZeroForRandomPartitions) {
  EXPECT_NEAR(adjusted_rand_index(random_labels(20000, 4, 3), random_labels(20000, 6, 4)), 0.0,
              2e-3);
}

TEST(Metrics, RefuseListsThatDoNotMatch) {
  for (const auto metric : {accuracy, balanced_accuracy, rand_index, adjusted_rand_index,
                            normalized_mutual_information}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                metric(Labels{0, 1}, Labels{0});
              }),
              "lists of 2 and 1 classes cannot be compared row by row");
    EXPECT_THROW(metric(Labels{}, Labels{}), InvalidArgument);
  }
}

TEST(MeanCorrelationsByPrefix, EqualThoseOfEachPrefixAlone) {
  const StoredSample stored({random_table(30, 8, 5)});
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> features{4, 0, 7, 2, 1};
  const std::vector<Index> lengths{1, 2, 5};
  const std::vector<double> means = mean_correlations_by_prefix(x, features, lengths);
  EXPECT_EQ(means[0], 0.0);
  for (Index place = 1; place < 3; ++place) {
    const auto prefix = std::span(features).first(lengths[place]);
    EXPECT_NEAR(means[place], mean_absolute_correlation(x, prefix), 1e-14);
    EXPECT_NEAR(means[place] / 2.0, redundancy_rate(x, prefix), 1e-14);
  }
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { mean_correlations_by_prefix(x, features, std::vector<Index>{6}); }),
            "prefixes must have ascending lengths within 1 .. 5, but 6 follows 0");
}

}  // namespace
}  // namespace tamis::test
