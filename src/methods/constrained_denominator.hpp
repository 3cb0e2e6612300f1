#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "constraints/constraint_set.hpp"
#include "tamis/methods/cls.hpp"

namespace tamis {

/// @throws DataError if the form needs cannot-links and there are none
void check_form(const MethodInfo& method, ClsForm form, const ConstraintSet& constraints);

/// What 2 f'Lf is divided by, for every column, with one degree D_i per row. Form `sum`:
///   sum_CL (D_i + D_j)(f_i - f_j)^2 + sum_i (|J| - c_i) D_i (f_i - mu)^2,
/// J being the rows in some cannot-link, c_i the cannot-links of row i and mu the plain mean;
/// without cannot-links sum_i D_i (f_i - mu)^2.
std::vector<double> constrained_denominators(const Problem& problem, ClsForm form,
                                             const ConstraintSet& constraints,
                                             std::span<const double> degree);

}  // namespace tamis
