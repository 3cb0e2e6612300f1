#pragma once

#include <string>
#include <vector>

#include "cli/console/command.hpp"

namespace tamis::cli {

/// Ranks the features by each of several label columns, and writes the rankings side by side.
/// Columns that hold other labels are features of none.
/// @throws InvalidArgument if a page or a trace is asked for, or the table comes through a pipe
void rank_by_each(const Arguments& arguments, const std::vector<std::string>& columns);

}  // namespace tamis::cli
