#pragma once

#include "linalg/eigenbasis.hpp"
#include "projections/fitting.hpp"

namespace tamis {

/// Groups of at least two rows that must-links join, by labels or pairs, closed.
/// @throws DataError if there is none, pairs contradict or have weights
std::vector<std::vector<Index>> chunklets(const ProjectionInfo& method, const Problem& problem);

/// S_t a = lambda (S_w + e I) a in the coordinates of the space, a'(S_w + e I)a = 1: S_t is the
/// variance of the rows, S_w that within the chunklets, e = ridge tr(S_t) / rank.
Eigenbasis chunklet_directions(const Fitting& fitting,
                               std::span<const std::vector<Index>> chunklets, double ridge);

}  // namespace tamis
