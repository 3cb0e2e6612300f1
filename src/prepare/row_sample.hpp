#pragma once

#include <cstdint>
#include <vector>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// All rows of which something is known and `others` random ones of the rest (all, if there are no
/// more), ascending; the same for the same seed.
std::vector<Index> sample_rows(const Knowledge& known, Index rows, Index others,
                               std::uint64_t seed);

}  // namespace tamis
