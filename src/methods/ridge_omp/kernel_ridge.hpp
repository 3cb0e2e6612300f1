#pragma once

#include <span>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// Spreads what is known of a few rows to all rows by ridge regression on the ranked columns, each
/// weighted by its spread G. With mu the mean of the `known` rows and
/// K_ab = sum_j G_j (z_aj - mu_j)(z_bj - mu_j) among these l rows, the result is
///
///   (Z - mu) diag(G) (Z_known - mu)' (K + lambda tr(K)/l I)^-1 values,
///
/// one row per row of the table; 0 if the known rows are all alike. Up to 1000 known rows K is
/// factorised; for more, the equations are solved by conjugate gradients without forming it.
/// @param known ascending
RowVectors kernel_ridge(const RankedTable& z, std::span<const Index> known,
                        const RowVectors& values, double lambda);

/// The coefficients diag(G) (Z_known - mu)' (K + lambda tr(K)/l I)^-1 values of the columns, whose
/// products with rows are the same up to a constant; empty if the known rows are all alike.
RowVectors ridge_coefficients(const RankedTable& z, std::span<const Index> known,
                              const RowVectors& values, double lambda);

/// What is left of each of the given values, one per known row and of mean 0, when ridge regression
/// predicts it from the other known rows: with c = lambda tr(K)/l and A = K + c I,
///
///   e_i = c (A^-1 values)_i / (c (A^-1)_ii - 1/l).
///
/// Beyond 1000 known rows the mean of (A^-1)_ii, estimated from random vectors, stands for each
/// (generalised cross-validation). Empty if the known rows are all alike.
std::vector<double> left_out_residuals(const RankedTable& z, std::span<const Index> known,
                                       const RowVectors& values, double lambda);

/// Up to here the kernel of the known rows is formed.
inline constexpr Index kLargestKernel = 1000;

/// K of the given rows, of which the lower triangle is set.
Buffer<double> known_kernel(const RankedTable& z, std::span<const Index> known);

}  // namespace tamis
