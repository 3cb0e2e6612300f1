#include "evaluation/splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learners/folds.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {
namespace {

using Classes = std::vector<std::vector<Index>>;

Classes classes_to_split(std::span<const Index> labels, double train_share) {
  if (!(train_share > 0.0 && train_share < 1.0))
    throw InvalidArgument(
        fmt::format("the share of training rows must be between 0 and 1, not {}", train_share));
  Classes classes;
  for (auto& [label, rows] : positions_by_class(labels)) {
    if (rows.size() < 2)
      throw DataError(fmt::format(
          "class {} has one labeled row, which cannot be on both sides of a split: leave the class "
          "out or label more of its rows",
          label));
    classes.push_back(rows);
  }
  if (classes.empty()) throw DataError("a split needs labeled rows");
  return classes;
}

/// How many rows of each class train: its share rounded down, and one more where the most is left
/// over, until the total is right. Ties to the class that `turn` puts first.
std::vector<Index> training_counts(const Classes& classes, double share,
                                   std::span<const Index> turn) {
  std::vector<Index> counts;
  std::vector<double> left_over;
  Index rows = 0;
  for (const std::vector<Index>& members : classes) {
    const Index n = std::ssize(members);
    const double exact = share * static_cast<double>(n);
    counts.push_back(std::clamp(static_cast<Index>(std::floor(exact)), Index{1}, n - 1));
    left_over.push_back(exact - static_cast<double>(counts.back()));
    rows += n;
  }
  Index missing = std::llround(share * static_cast<double>(rows)) -
                  std::accumulate(counts.begin(), counts.end(), Index{0});
  std::vector<Index> order(turn.begin(), turn.end());
  std::ranges::stable_sort(order, [&](Index a, Index b) { return left_over[a] > left_over[b]; });
  for (const Index c : order) {
    if (missing <= 0) break;
    if (left_over[c] <= 0.0 || counts[c] + 1 >= std::ssize(classes[c])) continue;
    ++counts[c];
    --missing;
  }
  return counts;
}

/// The first counts[c] rows of class c train, as do unlabeled rows.
Split split_after(const Classes& classes, std::span<const Index> counts,
                  std::span<const Index> labels) {
  std::vector<bool> is_test(labels.size(), false);
  for (Index c = 0; c < std::ssize(classes); ++c)
    for (Index s = counts[c]; s < std::ssize(classes[c]); ++s) is_test[classes[c][s]] = true;
  Split split;
  for (Index i = 0; i < std::ssize(labels); ++i)
    (is_test[i] ? split.test : split.train).push_back(i);
  return split;
}

}  // namespace

Split stratified_split(std::span<const Index> labels, double train_share, RandomStream& random) {
  Classes classes = classes_to_split(labels, train_share);
  for (std::vector<Index>& members : classes) random.shuffle(members);
  const Index n = std::ssize(classes);
  return split_after(classes, training_counts(classes, train_share, random.sample(n, n)), labels);
}

Split leading_split(std::span<const Index> labels, double train_share) {
  const Classes classes = classes_to_split(labels, train_share);
  std::vector<Index> turn(classes.size());
  std::iota(turn.begin(), turn.end(), Index{0});
  return split_after(classes, training_counts(classes, train_share, turn), labels);
}

std::vector<Split> stratified_k_fold(std::span<const Index> labels, Index n_folds,
                                     RandomStream& random) {
  const std::vector<Index> folds = stratified_folds(labels, n_folds, random);
  std::vector<Split> splits(n_folds);
  for (Index i = 0; i < std::ssize(folds); ++i)
    for (Index fold = 0; fold < n_folds; ++fold)
      (folds[i] == fold ? splits[fold].test : splits[fold].train).push_back(i);
  return splits;
}

}  // namespace tamis
