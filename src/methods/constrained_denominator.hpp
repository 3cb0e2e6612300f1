#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "constraints/constraint_set.hpp"
#include "tamis/methods/cls.hpp"

namespace tamis {

/// @throws DataError if the form needs cannot-links and there are none, or as a list and there are
/// too many
void check_form(const MethodInfo& method, ClsForm form, const ConstraintSet& constraints);

/// What cannot-links add to a denominator.
struct CannotLinkTerms {
  std::vector<double> sums = {};     ///< of each column: sum of w_ij (D_i + D_j)(f_i - f_j)^2
  std::vector<double> weights = {};  ///< of each row: c_i, the weights of its cannot-links
};

/// Forms other than `matrix`.
std::vector<double> constrained_denominators(const Problem& problem, ClsForm form,
                                             const CannotLinkTerms& cannot_links,
                                             std::span<const double> degree);

/// Form `matrix`: 2 f'L_CL D f.
std::vector<double> matrix_denominators(const MatrixView& x, std::span<const RowPair> cannot_links,
                                        std::span<const double> degree);

/// What 2 f'Lf is divided by, for every column, with one degree D_i per row. Form `sum`:
///   sum_CL (D_i + D_j)(f_i - f_j)^2 + sum_i (|J| - c_i) D_i (f_i - mu)^2,
/// J being the rows in some cannot-link, c_i the cannot-links of row i and mu the plain mean;
/// without cannot-links sum_i D_i (f_i - mu)^2. Form `full` has the number of rows in place of |J|.
std::vector<double> constrained_denominators(const Problem& problem, ClsForm form,
                                             const ConstraintSet& constraints,
                                             std::span<const double> degree);

}  // namespace tamis
