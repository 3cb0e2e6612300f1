#include "learners/folds.hpp"

#include <fmt/format.h>

#include "tamis/core/error.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {
namespace {

void check(const std::map<Index, std::vector<Index>>& classes, Index n_folds) {
  if (n_folds < 2)
    throw InvalidArgument(fmt::format("cross-validation needs at least 2 folds, not {}", n_folds));
  Index labeled = 0;
  for (const auto& [label, positions] : classes) {
    labeled += std::ssize(positions);
    if (std::ssize(positions) < 2)
      throw DataError(
          fmt::format("class {} has one labeled row, but cross-validation needs at least 2 of each "
                      "class: leave "
                      "the class out or label more of its rows",
                      label));
  }
  if (labeled < n_folds)
    throw DataError(fmt::format("{} labeled rows cannot be dealt out to {} folds: ask for fewer",
                                labeled, n_folds));
}

}  // namespace

std::vector<Index> stratified_folds(std::span<const Index> labels, Index n_folds,
                                    RandomStream& random) {
  auto classes = positions_by_class(labels);
  check(classes, n_folds);
  std::vector<Index> folds(labels.size(), -1);
  // Each class goes on with the fold after the last one's, so that folds are of one size, too.
  Index next = 0;
  for (auto& [label, positions] : classes) {
    random.shuffle(positions);
    for (const Index s : positions) folds[s] = next++ % n_folds;
  }
  return folds;
}

}  // namespace tamis
