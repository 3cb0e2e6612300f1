#pragma once

#include <optional>
#include <string>

#include "io/table_stream.hpp"

namespace tamis {

/// Whether a table has no runs of rows as it is, but could be put into a file that has: delimited
/// text, or anything compressed. Looks at its start only.
/// @throws IoError, DataError as ByteSource
bool can_spill(const std::string& path, const ReadOptions& options);

/// Bytes of text that may be in memory at once if a process may hold so many in all.
Index piece_within(Index memory);

/// Puts the numbers of such a table into a temporary file in a folder, in one reading, and opens
/// that to read it in runs of rows. The file is removed with the stream, and if the process is
/// interrupted. What columns of text are for is decided by its first piece.
/// @param piece_bytes of text in memory at once
/// @throws IoError if the folder is none or becomes full; DataError if the content is wrong, also
/// if pieces contradict each other; InvalidArgument as read_table
TableStream spill_table(const std::string& path, const ReadOptions& options,
                        const std::string& folder, Index piece_bytes);

}  // namespace tamis
