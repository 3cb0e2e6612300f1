#pragma once

#include <span>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// The directions along which rows spread most.
struct PrincipalAxes {
  std::vector<double> mean = {};
  std::vector<double> eigenvalues = {};  ///< of the covariance (divided by n), largest first
  std::vector<std::vector<double>> directions =
      {};  ///< unit vectors; the largest entry is positive
};

/// The `count` leading axes of the given rows (fewer if the rows span fewer). Works on the smaller
/// of the two cross-product matrices; refuses with DataError where both sides exceed 20000.
PrincipalAxes principal_axes(const MatrixView& x, std::span<const Index> rows, Index count);

}  // namespace tamis
