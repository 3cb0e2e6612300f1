#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "tamis/core/index.hpp"

/// Rows for learning and rows for judging what was learned. Labels have one entry per row of a
/// table; unlabeled rows can teach but not judge, so they are always training rows.
namespace tamis {

struct Split {
  std::vector<Index> train = {};  ///< ascending
  std::vector<Index> test = {};   ///< ascending
};

/// A random part of each class for training: `train_share` of it to within one row, of all labeled
/// rows to within one (if no class has too few), and at least one row on both sides.
/// @throws InvalidArgument unless 0 < train_share < 1
/// @throws DataError if no row is labeled, or a class has a single row
Split stratified_split(std::span<const Index> labels, double train_share, RandomStream& random);

/// The same without chance: the first rows of each class train.
Split leading_split(std::span<const Index> labels, double train_share);

/// Every labeled row is tested once; training rows are all others.
/// @throws InvalidArgument and DataError as stratified_folds does
std::vector<Split> stratified_k_fold(std::span<const Index> labels, Index n_folds,
                                     RandomStream& random);

}  // namespace tamis
