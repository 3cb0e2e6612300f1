#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether the first line that is no comment is `@relation`.
bool looks_like_arff(ByteSource& source);

/// Reads a file of Weka, dense or sparse (`{index value, ...}`). The labels are the attribute that
/// the options name, or one with a name of labels, else the last one if it is nominal. What the
/// other attributes are is decided as for CSV.
/// @throws DataError naming file and line
Table read_arff(ByteSource& source, const ReadOptions& options);

/// Writes numeric attributes, and the labels as a nominal one at the end; a sparse table stays
/// sparse. Ids are a string attribute at the start.
void write_arff(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
