#include "learners/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<Index> labels_of(const std::vector<Index>& counts) {
  std::vector<Index> labels;
  for (Index c = 0; c < std::ssize(counts); ++c) labels.insert(labels.end(), counts[c], c);
  return labels;
}

/// Most and fewest of the values 0 .. n - 1 in a list.
std::pair<Index, Index> extremes(const std::vector<Index>& folds, Index n) {
  std::vector<Index> counts(n, 0);
  for (const Index fold : folds) ++counts[fold];
  return {*std::ranges::min_element(counts), *std::ranges::max_element(counts)};
}

TEST(StratifiedFolds, HaveTheSameShareOfEachClassAndOfAllWithinOne) {
  const std::vector<Index> labels = labels_of({17, 2, 31, 5, 8});
  for (const Index n_folds : {2, 3, 5, 10}) {
    RandomStream random(1);
    const std::vector<Index> folds = stratified_folds(labels, n_folds, random);
    const auto [fewest, most] = extremes(folds, n_folds);
    EXPECT_LE(most - fewest, 1);
    for (Index c = 0; c < 5; ++c) {
      std::vector<Index> of_class;
      for (Index i = 0; i < std::ssize(labels); ++i)
        if (labels[i] == c) of_class.push_back(folds[i]);
      const auto [fewest_of_class, most_of_class] = extremes(of_class, n_folds);
      EXPECT_LE(most_of_class - fewest_of_class, 1) << "class " << c;
    }
  }
}

TEST(StratifiedFolds, KeepUnlabeledRowsOut) {
  RandomStream random(1);
  const std::vector<Index> folds =
      stratified_folds(std::vector<Index>{-1, 0, 1, -1, 0, 1}, 2, random);
  EXPECT_EQ(folds[0], -1);
  EXPECT_EQ(folds[3], -1);
  EXPECT_NE(folds[1], folds[4]);
  EXPECT_NE(folds[2], folds[5]);
}

TEST(StratifiedFolds, DependOnTheSeed) {
  const std::vector<Index> labels = labels_of({20, 20});
  std::set<std::vector<Index>> different;
  for (const std::uint64_t seed : {1, 2, 3, 1}) {
    RandomStream random(seed);
    different.insert(stratified_folds(labels, 4, random));
  }
  EXPECT_EQ(different.size(), 3U);
}

TEST(StratifiedFolds, RefuseWhatCannotBeDealtOut) {
  RandomStream random(1);
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              stratified_folds(labels_of({4, 4}), 1, random);
            }),
            "cross-validation needs at least 2 folds, not 1");
  EXPECT_EQ(message_of<DataError>([&] {
              stratified_folds(labels_of({4, 1, 4}), 2, random);
            }),
            "class 1 has one labeled row, but cross-validation needs at least 2 of each class: "
            "leave the class out or label more of its rows");
  EXPECT_EQ(message_of<DataError>([&] {
              stratified_folds(labels_of({2, 2}), 5, random);
            }),
            "4 labeled rows cannot be dealt out to 5 folds: ask for fewer");
}

}  // namespace
}  // namespace tamis
