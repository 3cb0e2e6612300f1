#pragma once

#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis {

// Files of formats that have no runs of rows: all of one must be held.

/// Bytes in the file; 0 of a pipe or a folder.
Index file_size_of(const std::string& path);
/// Whether all that it may say fits into memory: a byte may become a double.
bool fits_for_sure(const std::string& path, Index memory);
/// @param remedy the end of the message
/// @throws InvalidArgument if not even its bytes fit
void refuse_too_large(const std::string& path, Index memory, std::string_view remedy);

}  // namespace tamis
