#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// A kernel matrix of more rows is never formed: it takes 3.2 GB of doubles.
inline constexpr Index kMaxKernelRows = 20'000;

/// @throws DataError if `rows` rows of what is told ("labeled rows") are too many for a kernel
void check_kernel_rows(std::string_view who, std::string_view what, Index rows);

/// The optimum of the dual of a support vector machine.
struct SvmDual {
  std::vector<double> alpha = {};
  double objective = 0.0;
  bool converged = true;  ///< false: ten million steps did not suffice
};

/// Maximises 1'a - 1/2 sum_ij a_i a_j y_i y_j K_ij over 0 <= a <= cost, y'a = 0: hinge loss, and a
/// bias that is not regularised. K is symmetric and positive semidefinite, row-major; signs y are
/// 1 and -1, both present.
///
/// Sequential minimal optimisation with pairs chosen by second order (R.-E. Fan, P.-H. Chen, C.-J.
/// Lin, Working set selection using second order information for training SVM, JMLR 6, 2005),
/// until no pair violates its conditions by `tolerance`; what takes long that way, as large costs
/// do, goes on from where an interior point method ends. Then Newton steps in those variables that
/// are at no bound, if they are not too many: they make sum_i a_i y_i x_i exact but for rounding,
/// so that it does not depend on the order of the rows. O(n) per step.
/// @param start where to begin, feasible; empty: at 0
SvmDual solve_svm_dual(std::span<const double> kernel, std::span<const double> signs, double cost,
                       double tolerance, std::vector<double> start = {});

}  // namespace tamis
