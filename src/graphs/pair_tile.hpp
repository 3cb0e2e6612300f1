#pragma once

#include <array>
#include <span>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// All pairs between two blocks of rows: their distances, and sums of their weighted differences.
/// Columns pass by in double, a panel at a time, so that its size does not depend on the table.
class PairTile {
 public:
  static constexpr Index kRows = 64;
  using Values = std::array<double, kRows * kRows>;  ///< of the pair (a, b) at a * kRows + b

  PairTile();

  /// Fills distances() with the squared distances of the two blocks, at most kRows rows each.
  void measure(const MatrixView& x, std::span<const Index> left, std::span<const Index> right);
  const Values& distances() const { return distances_; }

  /// sums[r] += sum over the pairs of weights * (difference in column r)^2, for the same blocks.
  void add_differences(const MatrixView& x, std::span<const Index> left,
                       std::span<const Index> right, const Values& weights, std::span<double> sums);

 private:
  void load(const MatrixView& x, std::span<const Index> rows, Index first, Buffer<double>& panel);

  Buffer<double> left_;  // kRows x kWidth
  Buffer<double> right_;
  Buffer<double> turned_;  // the right one, kWidth x kRows
  Buffer<double> narrow_;
  Values distances_;
};

}  // namespace tamis
