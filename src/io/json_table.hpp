#pragma once

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether the text begins like a JSON object or array.
bool looks_like_json(ByteSource& source);

/// Reads a table as JSON: a list of records; lines of records; or what pandas writes with orient
/// columns, split, table or values; or an object with a list for each column. What the columns are
/// is decided as for CSV. null is missing, true is 1 and false 0.
/// @throws DataError naming the line or the place of what is no JSON, the record and column of what
/// is no cell
Table read_json(ByteSource& source, const ReadOptions& options);

}  // namespace tamis
