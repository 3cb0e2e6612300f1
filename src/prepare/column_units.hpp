#pragma once

#include <optional>
#include <string>

#include "tamis/core/problem.hpp"

namespace tamis {

/// A warning, for methods that measure distances between rows, if the standard deviations of two
/// columns differ by more than 100 times: grams beside metres, say. Constant columns do not count.
std::optional<std::string> differing_units(const Problem& problem);

}  // namespace tamis
