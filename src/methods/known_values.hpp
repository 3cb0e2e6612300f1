#pragma once

#include "linalg/row_vectors.hpp"
#include "tamis/core/knowledge.hpp"

namespace tamis {

/// The known values of a numeric target, in the order of their rows, with mean 0 and variance 1.
RowVectors standard_values(const Knowledge& known);

}  // namespace tamis
