#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// The nearest point to q with 0 <= p <= 1 and sum p = total, which is at most the number of
/// weights.
std::vector<double> capped_weights(std::span<const double> q, Index total);

/// How far p is at most from the least g'p of such points: g'p - (sum of the `total` smallest g).
double weight_gap(std::span<const double> p, std::span<const double> gradient, Index total);

}  // namespace tamis
