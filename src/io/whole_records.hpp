#pragma once

#include <string_view>

#include "io/delimited.hpp"

namespace tamis {

/// How many characters of a text, of which more may follow, are whole records with their line ends.
std::size_t whole_records(std::string_view text, Dialect dialect);

}  // namespace tamis
