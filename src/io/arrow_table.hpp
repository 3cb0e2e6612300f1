#pragma once

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

/// Parquet and Arrow IPC files (Feather), by Arrow's libraries where they are.
namespace tamis {

bool looks_like_parquet(ByteSource& source);
bool looks_like_arrow(ByteSource& source);

/// @throws DataError also if this program cannot read such files, saying how Python does
Table read_parquet(ByteSource& source, const ReadOptions& options);
Table read_arrow(ByteSource& source, const ReadOptions& options);

}  // namespace tamis
