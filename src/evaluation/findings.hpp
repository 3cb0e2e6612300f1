#pragma once

#include <string>
#include <vector>

#include "evaluation/summary.hpp"

/// What a summary says in words, for terminals and pages.
namespace tamis {

/// "a", "a and b", "a, b and c"
std::string enumerated(const std::vector<std::string>& names);

/// Which method and which control did best on a data set, and which methods were better than random
/// features, worse, or not shown to differ: one sentence each. Empty if nothing was judged.
std::vector<std::string> findings(const DataSetSummary& data);

/// What the number of data sets does not allow to tell, one sentence each: average ranks (Nemenyi),
/// and wins against random features (sign test), at level 0.05.
std::vector<std::string> limits_of(const Comparison& comparison);

}  // namespace tamis
