#pragma once

#include <span>
#include <vector>

#include "methods/sbcs/wanted_pairs.hpp"
#include "prepare/scaled_block.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// How far rows are from being as alike as they ought to be: sums over pairs of weight *
/// (exp(-d^2) - target)^2, d being the distance by some of the columns, scaled.
///
/// Distances of listed pairs are kept. Those of all pairs of many rows would be n x n numbers: they
/// are measured anew, tile by tile, which costs little beside the exponentials.
class PairErrors {
 public:
  PairErrors(const MatrixView& x, const Scaling& scaling, WantedPairs pairs);

  /// From now on distances are by this column, too.
  void take(Index column);
  /// The error by the columns taken and one more, for each of the given ones. Tells the stage
  /// `pieces()` times that a piece is done.
  std::vector<double> with_each(std::span<const Index> columns, Progress::Stage& stage) const;
  Index pieces() const { return n_parts() + 1; }

 private:
  class Tile;

  Index n_blocks() const;
  Index n_parts() const;
  std::vector<double> tiled_part(Index part, std::span<const Index> columns) const;
  void add_listed(std::span<const Index> columns, std::span<double> sums) const;

  const MatrixView& x_;
  const Scaling& scaling_;
  WantedPairs pairs_;                  // changed ones by tile, listed ones by place in listed_rows_
  std::vector<Index> listed_rows_;     // ascending
  std::vector<Buffer<double>> taken_;  // columns of the rows of which every two are a pair
  std::vector<double> listed_distances_;
};

}  // namespace tamis
