#pragma once

#include <cstdint>
#include <span>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// How many pairs labels imply: every two labeled rows are one.
Index n_implied_pairs(std::span<const Index> labels);

/// `count` of them, or all if there are fewer: the first in one random order, which the seed
/// decides, so that a larger number has all pairs of a smaller one. Pairs are never all listed.
PairConstraints implied_pairs(std::span<const Index> labels, Index count, std::uint64_t seed);

}  // namespace tamis
