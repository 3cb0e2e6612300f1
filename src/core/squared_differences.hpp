#pragma once

#include <span>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// sum over the pairs of weight * (x_ir - x_jr)^2, for every column r: with the edges of a graph it
/// is f'Lf. Computed from differences, so that an offset of the column costs no digits. Sums are in
/// double; a float32 table adds up to 16 products in float32 first (relative error below 1e-6).
/// Sort the pairs by row: rows are then read from cache. Deterministic for any number of threads.
std::vector<double> squared_difference_sums(const MatrixView& x, std::span<const RowPair> pairs);

/// What a graph score needs of each column.
struct GraphSums {
  std::vector<double> differences;  ///< squared_difference_sums(x, pairs)
  ColumnMoments rows;               ///< weighted_moments(x, all rows, row_weights)
  std::vector<bool> varies;         ///< varying_columns(x)
};

/// All of it in one pass over the table: reading it is most of the cost.
GraphSums graph_sums(const MatrixView& x, std::span<const RowPair> pairs,
                     std::span<const double> row_weights);

}  // namespace tamis
