#pragma once

#include <vector>

#include "levels/row_targets.hpp"

namespace tamis {

/// Sums over rows of the shares of classes that targets give them, in whole units. Blocks of rows
/// may come in any order, and several sums be merged in any.
class ShareSums {
 public:
  /// @param levels, targets must outlive it; the targets are classes alone
  ShareSums(const std::vector<LevelTree>& levels, const RowTargets& targets);

  void update(const MatrixView& block);
  void merge(const ShareSums& other);

  /// Of each class of each target: sum p, sum p^2.
  std::vector<Int128> sums = {};
  std::vector<Int128> squares = {};
  /// sum qp of each column of codes with the classes of the first target.
  std::vector<Int128> products = {};

 private:
  const std::vector<LevelTree>& levels_;
  const RowTargets& targets_;
};

}  // namespace tamis
