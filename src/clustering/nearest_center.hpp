#pragma once

#include <span>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Which centre is nearest to each row, and its squared distance.
struct NearestCenters {
  std::vector<Index> centers = {};
  std::vector<double> squared_distances = {};
};

/// The nearest of the centres (row-major, as wide as the table) of each given row, ties to the
/// lower centre. Exact: float32 matrix products only narrow the choice down to the centres that
/// rounding cannot tell apart, which are then measured in double. O(rows x centres x columns);
/// memory for the centres and a block of rows. Deterministic for any number of threads.
NearestCenters nearest_centers(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> centers);

}  // namespace tamis
