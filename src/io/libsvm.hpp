#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether the first line that is no comment reads `[label] index:value ...`, or could be a label
/// alone and the file has the extension of the format.
bool looks_like_libsvm(ByteSource& source);

/// Reads LIBSVM / svmlight text, `label index:value ...`, one row per line, into a sparse table.
/// Indices count from 1 and ascend; a line that starts with index:value has no label; `qid:` and
/// what follows a # are ignored, blank lines too.
/// @throws DataError naming file and line
Table read_libsvm(ByteSource& source, const ReadOptions& options);

/// Writes the non-zeros of the given columns, renumbered from 1. An explicit zero keeps a last
/// column that has no other entry, or a row that has neither label nor entry.
/// @throws DataError for a label with blanks, colon or #, which the format cannot hold
void write_libsvm(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
