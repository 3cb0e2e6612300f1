#pragma once

#include <functional>
#include <optional>
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

/// All eigenvalues of such a matrix, ascending.
std::vector<double> eigenvalues(std::span<const double> lower, Index side);

/// out = A in, for a symmetric matrix A that nobody needs to form.
using SymmetricOperator = std::function<void(const double* in, double* out)>;

/// The `count` largest eigenpairs of A (side x side, at least 40, and more than count) by Lanczos
/// iterations; nothing if they do not converge. From one start they find one eigenvector of equal
/// eigenvalues: who wants all takes out of A what was found and begins elsewhere.
/// @param start where to begin (side numbers); empty: always in the same direction
std::optional<EigenPairs> leading_eigenpairs(const SymmetricOperator& multiply, Index side,
                                             Index count, std::span<const double> start = {});

/// The largest eigenvalue of A (side x side, at least 40) by Lanczos iterations; nothing if they do
/// not converge.
std::optional<double> leading_eigenvalue(const SymmetricOperator& multiply, Index side);

}  // namespace tamis
