#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// The fold, 0 .. n_folds - 1, of each position; -1 for unlabeled ones. Every fold has the same
/// share of each class, and of all, to within one. Every class has rows outside of any fold.
/// @throws InvalidArgument for fewer than two folds
/// @throws DataError for fewer labels than folds, or a class with a single one
std::vector<Index> stratified_folds(std::span<const Index> labels, Index n_folds,
                                    RandomStream& random);

}  // namespace tamis
