#pragma once

#include <span>
#include <string>
#include <vector>

#include "prepare/owned_problem.hpp"

namespace tamis {

/// What is said of each column (names, groups), of some of them; nothing if nothing is said.
template <class T>
std::vector<T> of_columns(const std::vector<T>& said, std::span<const Index> columns) {
  std::vector<T> some;
  if (!said.empty())
    for (const Index r : columns) some.push_back(said[r]);
  return some;
}

/// Some rows and columns (ascending, each once) of a problem as a problem of their own, in the same
/// storage, with their names and groups and what is known about the rows: see known_about().
OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns);

/// Those of the indices 0 .. count - 1 that are not left out; all ascending.
std::vector<Index> all_but(std::span<const Index> left_out, Index count);

}  // namespace tamis
