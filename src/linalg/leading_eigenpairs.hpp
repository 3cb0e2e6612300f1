#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

struct EigenPairs {
  std::vector<double> values = {};                ///< largest first
  std::vector<std::vector<double>> vectors = {};  ///< of length 1
};

/// The `count` largest eigenvalues of a symmetric matrix, of which only the lower triangle
/// (row-major, side x side) is read. All pairs are computed up to a side of 300 (exact for equal
/// eigenvalues too), Lanczos iterations beyond.
EigenPairs leading_eigenpairs(std::span<const double> lower, Index side, Index count);

}  // namespace tamis
