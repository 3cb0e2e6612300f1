#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// What solve_svm_dual seeks, near its optimum, by an interior point method with Mehrotra's
/// predictor and corrector: some thirty steps of O(n^3) whatever the cost, where pairs of variables
/// may need millions. Variables that end at a bound are put there.
std::vector<double> svm_interior_point(std::span<const double> kernel,
                                       std::span<const double> signs, double cost);

}  // namespace tamis
