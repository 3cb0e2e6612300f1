#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"

namespace tamis {

/// Of a source that is no plain file, and of a format that is read from many places of one: says
/// so, with the command that helps.
/// @param what "a Parquet file"
std::string needs_plain_file(const ByteSource& source, std::string_view what);

}  // namespace tamis
