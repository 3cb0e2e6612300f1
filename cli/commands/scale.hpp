#pragma once

#include <string_view>

#include "tamis/io/table.hpp"

namespace tamis::cli {

/// Prepares every column in place: "standard" is (x - mean) / population deviation, "minmax" is
/// (x - min) / (max - min), "none" nothing. A sparse column is only divided, so that zeros stay
/// zeros: scores made of differences do not see the centre. Constant columns are left alone.
void scale_columns(Table& table, std::string_view how);

}  // namespace tamis::cli
