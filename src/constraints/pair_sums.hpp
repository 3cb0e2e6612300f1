#pragma once

#include <span>
#include <vector>

#include "constraints/constraint_set.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// sum over must-link pairs of w_ij (x_ir - x_jr)^2, for every column r. Label-implied pairs cost
/// O(l m), not O(l^2 m): they are summed from class moments.
std::vector<double> must_link_sums(const MatrixView& x, const ConstraintSet& constraints);

/// sum over cannot-link pairs of w_ij (v_i + v_j)(x_ir - x_jr)^2 with one v per row.
std::vector<double> cannot_link_sums(const MatrixView& x, const ConstraintSet& constraints,
                                     std::span<const double> row_weights);

/// sum over cannot-link pairs of w_ij (x_ir - x_jr)^2.
std::vector<double> cannot_link_sums(const MatrixView& x, const ConstraintSet& constraints);

}  // namespace tamis
