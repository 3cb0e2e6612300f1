#pragma once

#include <limits>

#include "tamis/core/index.hpp"

namespace tamis {

/// The distribution of the range of `groups` independent standard normal values, divided by an
/// independent estimate of their deviation with `freedom` degrees of freedom (infinite: by 1). By
/// quadrature, absolute error below 1e-9.
/// @throws InvalidArgument for fewer than two groups or freedom < 1
double studentized_range_cdf(double q, Index groups,
                             double freedom = std::numeric_limits<double>::infinity());

/// The value that the range stays below with the given probability.
/// @throws InvalidArgument also unless 0 < probability < 1
double studentized_range_quantile(double probability, Index groups,
                                  double freedom = std::numeric_limits<double>::infinity());

}  // namespace tamis
