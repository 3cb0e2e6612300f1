#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// The least false discovery rate at which each hypothesis is among the discoveries (Benjamini,
/// Hochberg, Journal of the Royal Statistical Society B 57, 1995).
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// How many of a sequence of hypotheses, which must be rejected in their order, are: the largest k
/// for which the mean of -ln(1 - p) over the first k is at most `fdr` (ForwardStop: G'Sell, Wager,
/// Chouldechova, Tibshirani, Journal of the Royal Statistical Society B 78, 2016).
Index forward_stop(std::span<const double> p, double fdr);

}  // namespace tamis
