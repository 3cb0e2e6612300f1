#pragma once

#include <vector>

#include "prepare/scale.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// The class of the nearest labeled row of each row by all columns, scaled; a labeled row has its
/// own. Distances within 1e-10 (relative) tie: the lower row is nearer.
std::vector<Index> nearest_classes(const Problem& problem, const Scaling& scaling);

}  // namespace tamis
