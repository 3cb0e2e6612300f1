#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

namespace tamis {

/// How alike sets of features are, corrected for chance: Nogueira, Sechidis, Brown, "On the
/// stability of feature selection algorithms", JMLR 18, 2018, with its 95 % confidence interval;
/// and the mean of Kuncheva's consistency index over all pairs of sets ("A stability index for
/// feature selection", AIA 2007), which is undefined for sets of different sizes. Sets without a
/// choice (all empty or all complete) have stability 1. Each set is free of repetition.
/// @throws InvalidArgument for fewer than two sets
Stability stability(std::span<const std::vector<Index>> sets, Index n_features);

}  // namespace tamis
