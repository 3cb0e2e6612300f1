#pragma once

#include <vector>

#include "support/sample.hpp"
#include "tamis/methods/cls.hpp"

namespace tamis::test {

/// The constrained Laplacian score word for word on n x n matrices; bandwidth in mean distances,
/// symmetry either, no condensing.
std::vector<double> naive_cls(const Sample& sample, const ClsOptions& options);

}  // namespace tamis::test
