#pragma once

#include "clustering/som/som.hpp"
#include "prepare/owned_problem.hpp"

namespace tamis {

/// A problem in which the units of a map stand for the rows of which nothing is known, behind the
/// known ones.
struct CondensedProblem {
  OwnedProblem problem;
  Som som;
};

/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, or if there are fewer than 4 rows to condense
CondensedProblem condensed_problem(const Problem& problem, const SomOptions& options,
                                   const Progress& progress);

}  // namespace tamis
