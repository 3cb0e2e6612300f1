#pragma once

#include <span>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// sum over the pairs of weight * (x_ir - x_jr)^2, for every column r: with the edges of a graph it
/// is f'Lf. Computed from differences, so that an offset of the column costs no digits; products
/// in the table's own precision, sums in double, in the order of the pairs (sort them by row: rows
/// are then read from cache). Deterministic for any number of threads.
std::vector<double> squared_difference_sums(const MatrixView& x, std::span<const RowPair> pairs);

}  // namespace tamis
