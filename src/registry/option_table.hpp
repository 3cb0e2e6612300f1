#pragma once

#include <string>

#include "tamis/registry/methods.hpp"

namespace tamis {

/// The options of a method as a Markdown table, for its documentation page: lines that end with
/// '\n'; "This method has no options." if so.
std::string option_table(const Method& method);

}  // namespace tamis
