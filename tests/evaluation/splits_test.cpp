#include "evaluation/splits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "prepare/label_sample.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {
namespace {

/// Rows of all classes mixed; one unlabeled row at the end.
std::vector<Index> mixed_labels(std::vector<Index> counts) {
  std::vector<Index> labels;
  while (std::ranges::any_of(counts, [](Index n) { return n > 0; }))
    for (Index c = 0; c < std::ssize(counts); ++c)
      if (counts[c]-- > 0) labels.push_back(c);
  labels.push_back(kUnlabeled);
  return labels;
}

Index count_of(const std::vector<Index>& labels, const std::vector<Index>& rows, Index label) {
  return std::ranges::count_if(rows, [&](Index i) { return labels[i] == label; });
}

void expect_partition(const std::vector<Index>& labels, const Split& split) {
  std::vector<Index> all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  EXPECT_TRUE(std::ranges::is_sorted(split.train));
  EXPECT_TRUE(std::ranges::is_sorted(split.test));
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), labels.size());
  for (Index i = 0; i < std::ssize(all); ++i) EXPECT_EQ(all[i], i);
  EXPECT_EQ(count_of(labels, split.test, kUnlabeled), 0);
}

TEST(StratifiedSplit, KeepsTheShareOfEveryClassAndOfAllWithinOneRow) {
  const std::vector<Index> counts{17, 2, 31, 5, 8, 9, 3};
  const std::vector<Index> labels = mixed_labels(counts);
  for (const double share : {0.5, 2.0 / 3.0, 0.1, 0.9})
    for (const std::uint64_t seed : {1, 2, 3}) {
      RandomStream random(seed);
      for (const Split& split :
           {stratified_split(labels, share, random), leading_split(labels, share)}) {
        expect_partition(labels, split);
        for (Index c = 0; c < std::ssize(counts); ++c) {
          const Index training = count_of(labels, split.train, c);
          EXPECT_LT(
              std::abs(static_cast<double>(training) - share * static_cast<double>(counts[c])),
              1.0);
          EXPECT_GE(training, 1);
          EXPECT_LT(training, counts[c]);
        }
        const double tests = 75.0 * (1.0 - share);
        // Classes of two or three rows keep one on both sides, which extreme shares pay for.
        const double tolerance = share == 0.1 || share == 0.9 ? 3.0 : 0.5;
        EXPECT_NEAR(static_cast<double>(split.test.size()), tests, tolerance);
      }
    }
}

TEST(StratifiedSplit, GivesOddRowsToDifferentClassesByChance) {
  const std::vector<Index> labels = mixed_labels({3, 3, 3});  // 5 of 9: two classes train with 2
  std::set<std::vector<Index>> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed);
    const Split split = stratified_split(labels, 0.5, random);
    seen.insert({count_of(labels, split.train, 0), count_of(labels, split.train, 1),
                 count_of(labels, split.train, 2)});
  }
  EXPECT_EQ(seen, (std::set<std::vector<Index>>{{1, 2, 2}, {2, 1, 2}, {2, 2, 1}}));
}

TEST(LeadingSplit, TakesTheFirstRowsOfEachClass) {
  const Split split = leading_split(std::vector<Index>{0, 0, 1, 0, 1, 0, kUnlabeled}, 0.5);
  EXPECT_EQ(split.train, (std::vector<Index>{0, 1, 2, 6}));
  EXPECT_EQ(split.test, (std::vector<Index>{3, 4, 5}));
}

TEST(StratifiedSplit, RefusesWhatCannotBeSplit) {
  RandomStream random(1);
  const auto split = [&](const std::vector<Index>& labels, double share) {
    return [&random, labels, share] { stratified_split(labels, share, random); };
  };
  EXPECT_EQ(message_of<DataError>(split({0, 0, 1}, 0.5)),
            "class 1 has one labeled row, which cannot be on both sides of a split: leave the "
            "class out or label more of its rows");
  EXPECT_EQ(message_of<DataError>(split({-1, -1}, 0.5)), "a split needs labeled rows");
  EXPECT_EQ(message_of<InvalidArgument>(split({0, 0}, 1.0)),
            "the share of training rows must be between 0 and 1, not 1");
  EXPECT_EQ(message_of<InvalidArgument>(split({0, 0}, std::nan(""))),
            "the share of training rows must be between 0 and 1, not nan");
}

TEST(StratifiedKFold, TestsEveryLabeledRowOnce) {
  const std::vector<Index> labels = mixed_labels({7, 11, 4});
  RandomStream random(1);
  const std::vector<Split> splits = stratified_k_fold(labels, 5, random);
  ASSERT_EQ(splits.size(), 5U);
  std::vector<Index> tested;
  for (const Split& split : splits) {
    expect_partition(labels, split);
    tested.insert(tested.end(), split.test.begin(), split.test.end());
    for (Index c = 0; c < 3; ++c) EXPECT_GE(count_of(labels, split.train, c), 1);
  }
  std::ranges::sort(tested);
  ASSERT_EQ(tested.size(), 22U);
  for (Index i = 0; i < 22; ++i) EXPECT_EQ(tested[i], i);
}

TEST(SampleLabels, KeepsSoManyOfEachClassAmongTheGivenRows) {
  const std::vector<Index> labels = mixed_labels({20, 10, 10});
  const std::vector<Index> rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 40};
  RandomStream random(1);
  const LabelSample sample = sample_labels(labels, rows, 3, random);
  EXPECT_FALSE(sample.warning);
  std::vector<Index> kept;
  for (Index i = 0; i < std::ssize(labels); ++i)
    if (sample.labels[i] != kUnlabeled) {
      EXPECT_EQ(sample.labels[i], labels[i]);
      EXPECT_TRUE(std::ranges::binary_search(rows, i));
      kept.push_back(i);
    }
  for (Index c = 0; c < 3; ++c) EXPECT_EQ(count_of(labels, kept, c), 3);
}

TEST(SampleLabels, KeepsWhatThereIsAndSaysSoOnce) {
  const std::vector<Index> labels{0, 1, 1, 2, 2, 2, 2};
  const std::vector<Index> rows{0, 1, 2, 3, 4, 5, 6};
  RandomStream random(1);
  const LabelSample sample = sample_labels(labels, rows, 3, random);
  EXPECT_EQ(std::ranges::count(sample.labels, kUnlabeled), 1);
  EXPECT_EQ(sample.warning,
            "3 labels per class were asked for, but there are fewer of classes 0 (1), 1 (2): all "
            "of them are kept");
  const std::vector<std::string> names{"oak", "ash", "elm"};
  EXPECT_EQ(sample_labels(labels, rows, 2, random, names).warning,
            "2 labels per class were asked for, but there are fewer of class oak (1): all of them "
            "are kept");
  EXPECT_EQ(message_of<InvalidArgument>([&] { sample_labels(labels, rows, 0, random); }),
            "at least one label of each class must be kept, not 0");
}

}  // namespace
}  // namespace tamis
