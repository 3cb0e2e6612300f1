#pragma once

#include <string>

#include "tamis/core/problem.hpp"
#include "tamis/evaluation/results.hpp"

namespace tamis {

/// What a run card says of a data set. The hash covers the non-zeros with their places, and the
/// classes by name: equal for dense and sparse tables.
DataSetFacts data_set_facts(std::string name, std::string file, const Problem& problem);

}  // namespace tamis
