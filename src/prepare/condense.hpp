#pragma once

#include <optional>

#include "prepare/owned_problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// The problem with its unlabeled rows replaced by the reference vectors of a self-organizing map.
/// Rows with a label or in a pair stay, in their order; the vectors follow. Nothing for
/// Condense::none, and, with a warning, if there are fewer than 4 rows to condense.
/// @throws DataError if pairs contradict (rows still have their own names here)
std::optional<OwnedProblem> condense(const Problem& problem, const CondenseOptions& options,
                                     const Run& run, Diagnostics& diagnostics);

}  // namespace tamis
