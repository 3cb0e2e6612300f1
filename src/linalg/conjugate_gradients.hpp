#pragma once

#include <functional>

#include "linalg/row_vectors.hpp"

namespace tamis {

/// Solves A x = b for each column of b at once, A symmetric and positive definite, until every
/// residual is below `tolerance` times its b or 500 steps are done (Hestenes, Stiefel 1952).
RowVectors conjugate_gradients(const std::function<RowVectors(const RowVectors&)>& apply,
                               const RowVectors& b, double tolerance);

}  // namespace tamis
