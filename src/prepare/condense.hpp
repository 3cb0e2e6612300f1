#pragma once

#include <optional>

#include "clustering/som/som.hpp"
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

/// Its parts, for a map that was made elsewhere: what there is to say of it, and some rows of a
/// problem with its units behind them. `constants` are the values of constant columns, NaN the
/// others.
void note_map(const Som& som, Diagnostics& diagnostics);
OwnedProblem with_map(const Problem& problem, std::span<const Index> kept, const Som& som,
                      std::span<const double> constants);

}  // namespace tamis
