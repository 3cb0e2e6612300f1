#pragma once

#include <array>
#include <span>

#include "graphs/row_blocks.hpp"

namespace tamis {

/// One number for each row of a block.
using OfRows = std::array<double, RowBlocks::kRows>;

/// All pairs between two blocks of rows: their distances, and sums of their weighted differences.
class PairTile {
 public:
  static constexpr Index kRows = RowBlocks::kRows;
  /// Of the pair (a, b) at a * kRows + b.
  using Values = std::array<double, kRows * kRows>;

  explicit PairTile(const RowBlocks& blocks) : blocks_(blocks), left_(blocks), right_(blocks) {}

  /// The two blocks that the other calls are about. It costs less if one is that of before.
  void take(Index left, Index right);

  /// Fills in the squared distances of all pairs of the two blocks. What is beyond their rows has
  /// no meaning.
  void measure(Values& distances);

  /// sums[r] += sum over the pairs of weights * (difference in column r)^2. Values of weights
  /// beyond the rows of the right block must be 0.
  void add_differences(const Values& weights, std::span<double> sums);

  /// Fills in left_terms[a] + right_terms[b] + scale * (product of the rows).
  void multiply_rows(const OfRows& left_terms, const OfRows& right_terms, double scale,
                     Values& sums);

  /// Sums of each column in so many parts, of as many columns as a multiple.
  static constexpr Index kSumParts = 4;
  Index sums_size() const { return RowBlocks::padded(blocks_.cols()) * kSumParts; }

  /// sums[r] += sum over the pairs of weights * (product in column r). Values of weights beyond the
  /// rows of the right block must be 0.
  void add_row_products(const Values& weights, std::span<double> sums);
  /// The squared norms of the rows of the left block.
  OfRows left_norms();
  /// sums[r] += sum over the rows of the left block of factors * (value in column r)^2.
  void add_left_squares(const OfRows& factors, std::span<double> sums);

 private:
  /// One of the two blocks, and what is known of its panels.
  struct Side {
    explicit Side(const RowBlocks& blocks) : panels(blocks.size_worth_keeping()) {}

    Index block = 0;
    Buffer<double> panels;  ///< empty: not worth keeping
    Index end = 0;          ///< columns from here on are not in `panels` yet
    std::array<double, RowBlocks::kPanelSize> panel;
  };
  struct Panels {
    const double* left;
    const double* right;
    Index left_rows;
    Index right_rows;
    Index width;
  };
  Panels load(Index first);
  const double* load(Side& side, Index first) const;

  const RowBlocks& blocks_;
  Side left_;
  Side right_;
};

/// Turns squared distances d into exp(-(d - nearest) / t), in place; below 1e-307 it is 0.
void heat_weights(std::span<double> values, double nearest, double t);

/// Turns values x of the first so many left rows, from -1020 to 1020, into 2^x, in place.
void raise_two(Index left_rows, PairTile::Values& values);

/// Sums of the weights of a tile.
struct WeightSums {
  double weight = 0.0;
  double squared = 0.0;  ///< of their squares
};
WeightSums sum_weights(const PairTile::Values& weights);

/// Multiplies each weight by the factors of its two rows, which tell how many rows they stand for,
/// and adds the products to the sums of both. Returns what sum_weights would of as many pairs with
/// the weight that it was.
WeightSums multiply_weights(const OfRows& left_factors, const OfRows& right_factors,
                            PairTile::Values& weights, OfRows& left_sums, OfRows& right_sums);

}  // namespace tamis
