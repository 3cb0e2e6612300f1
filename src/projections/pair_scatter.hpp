#pragma once

#include "constraints/constraint_set.hpp"
#include "linalg/row_space.hpp"

namespace tamis {

/// sum over the pairs of a kind of w_ij (z_i - z_j)(z_i - z_j)', z_i being the coordinates of row i
/// in the space: lower triangle, rank x rank. Pairs that labels imply are never listed: with n_c
/// rows around m_c in each of the classes, n rows around m in all of them,
///   must-links:   sum_c n_c sum_i (z_i - m_c)(z_i - m_c)'
///   cannot-links: sum_c (n - n_c) sum_i (z_i - m_c)(z_i - m_c)' + n sum_c n_c (m_c - m)(m_c - m)'
/// O(rows rank^2 + pairs rank).
Buffer<double> pair_scatter(const RowSpace& space, const ConstraintSet& constraints, LinkKind kind);

/// Rows that belong together, moved so that each group has mean 0; groups follow each other.
RowVectors within_groups(const RowSpace& space, std::span<const std::vector<Index>> groups);

}  // namespace tamis
