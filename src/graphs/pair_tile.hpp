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
  /// Of the pair (a, b) at a * kRows + b.
  using Values = std::array<double, kRows * kRows>;

  explicit PairTile(const MatrixView& x);

  /// The two blocks that the other calls are about, at most kRows rows each.
  void take(std::span<const Index> left, std::span<const Index> right);

  /// Fills in the squared distances of all pairs of the two blocks.
  void measure(Values& distances);

  /// sums[r] += sum over the pairs of weights * (difference in column r)^2. Values of weights
  /// beyond the rows of the right block must be 0.
  void add_differences(const Values& weights, std::span<double> sums);

 private:
  void load(Index first);

  const MatrixView& x_;
  std::span<const Index> left_rows_;
  std::span<const Index> right_rows_;
  Index loaded_ = -1;    // the first column of the panel that is loaded
  Buffer<double> left_;  // rows x columns of the panel
  Buffer<double> right_;
  Buffer<double> turned_;  // the right one, columns x rows
};

/// Turns squared distances d into exp(-(d - nearest) / t), in place; below 1e-307 it is 0.
void heat_weights(PairTile::Values& values, double nearest, double t);

/// Adds the weights of each row of the left and of the right block.
void add_row_sums(const PairTile::Values& weights, std::span<double> left, std::span<double> right);

/// Their sum and the sum of their squares.
struct WeightSums {
  double weight = 0.0;
  double squared = 0.0;
};
WeightSums sum_weights(const PairTile::Values& weights);

/// Multiplies each weight by the factors of its two rows, and returns what sum_weights would of as
/// many pairs with the weight that it was.
WeightSums multiply_weights(std::span<const double> left, std::span<const double> right,
                            PairTile::Values& weights);

}  // namespace tamis
