#pragma once

#include <optional>
#include <vector>

#include "levels/decoy_columns.hpp"
#include "levels/row_targets.hpp"

namespace tamis {

/// Mean and standard deviation of a share of a class over the rows, in whole units.
struct ShareMoments {
  double mean = 0.0;
  double deviation = 0.0;
};

/// Targets whose columns are measured in standard deviations and cut at three, and the decoys that
/// they meet.
struct CrossedQuestion {
  RowTargets targets = {};                ///< components have standard deviation 1
  std::vector<ShareMoments> shares = {};  ///< of each class of each target
  std::vector<DecoyGroup> decoys = {};
  Index rows = 0;
  std::uint64_t seed = 0;
};

/// Sums over rows of such columns t of targets, in whole units. Blocks of rows may come in any
/// order, and several sums be merged in any.
class CrossedSums {
 public:
  /// @param levels, question must outlive it
  CrossedSums(const std::vector<LevelTree>& levels, const CrossedQuestion& question);

  void update(const MatrixView& block, Index first_row);
  void merge(const CrossedSums& other);

  /// One target's.
  struct Sums {
    std::vector<Int128> values = {};    ///< sum t
    std::vector<Int128> squares = {};   ///< sum tt', width x width
    std::vector<Int128> products = {};  ///< sum qt, columns of codes x width
  };
  std::vector<Sums> targets = {};
  DecoySums decoys;

 private:
  std::vector<RowVectors> cut_targets(RowVectors scores) const;

  const std::vector<LevelTree>& levels_;
  const CrossedQuestion& question_;
};

}  // namespace tamis
