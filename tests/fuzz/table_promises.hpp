#pragma once

#include "tamis/io/table.hpp"

namespace tamis::fuzz {

/// Ends the process unless a table that was read is what include/tamis/io/table.hpp says.
void check_promises(const Table& table);

}  // namespace tamis::fuzz
