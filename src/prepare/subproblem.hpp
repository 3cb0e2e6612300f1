#pragma once

#include <span>
#include <string>
#include <vector>

#include "prepare/owned_problem.hpp"

namespace tamis {

/// The names of some columns; none if the table has none.
std::vector<std::string> names_of(std::span<const std::string> names,
                                  std::span<const Index> columns);

/// Some rows and columns (ascending, each once) of a problem as a problem of their own, in the same
/// storage, with their names and what is known about the rows: see known_about().
OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns);

/// Those of the indices 0 .. count - 1 that are not left out; all ascending.
std::vector<Index> all_but(std::span<const Index> left_out, Index count);

}  // namespace tamis
