#pragma once

#include <span>
#include <string>

#include "tamis/io/table.hpp"

namespace tamis {

/// A name for the label column that no written feature has.
std::string label_header(const Table& table, std::span<const Index> columns);

}  // namespace tamis
