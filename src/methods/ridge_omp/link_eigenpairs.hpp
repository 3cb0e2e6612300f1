#pragma once

#include "constraints/constraint_set.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// Vectors Y of the rows such that YY' is near H, the matrix with 1 on the diagonal and for
/// must-links, -1 for cannot-links (their weights, if they have some) and 0 elsewhere, doubly
/// centred: Y = V sqrt(v) of its positive eigenpairs. Labels have at most one class. Forms H.
RowVectors link_vectors(const ConstraintSet& constraints, Index rows);

}  // namespace tamis
