#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

namespace tamis {

/// How alike several sets of features (each without repetition) are, corrected for chance. Of sets
/// of different sizes Kuncheva's index is undefined (NaN); of sets that are all empty or all
/// complete both are 1 by convention: nothing was left to chance.
/// @throws InvalidArgument for fewer than two sets
Stability stability(std::span<const std::vector<Index>> sets, Index n_features);

}  // namespace tamis
