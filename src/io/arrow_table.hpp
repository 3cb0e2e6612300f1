#pragma once

#include <span>
#include <string>

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

/// Ids are the column id, labels the last one; a label that is not known is null.
void write_parquet(const std::string& path, const Table& table, std::span<const Index> columns);
/// @throws InvalidArgument if this program cannot write such files
void check_parquet_writer();

}  // namespace tamis
