#pragma once

#include <string>

#include "evaluation/results.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// What a run card says of a data set. The hash covers the non-zeros with their places, the classes
/// by name and the values of a numeric target: equal for dense and sparse tables.
DataSetFacts data_set_facts(std::string name, std::string file, const Problem& problem);
/// The same of a table that is not there as a whole: without shape and hash.
DataSetFacts data_set_facts(std::string name, std::string file, const Knowledge& known);

}  // namespace tamis
