#pragma once

#include <vector>

#include "tamis/core/method.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// The columns that take two different values: only they can have a score.
/// @throws DataError if there is none
std::vector<bool> rankable_columns(const MethodInfo& method, const Problem& problem);

/// Warns if a semi-supervised method is given neither labels nor pairs.
void warn_if_unsupervised(const MethodInfo& method, const Problem& problem,
                          Diagnostics& diagnostics);

}  // namespace tamis
