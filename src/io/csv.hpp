#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether tabs separate the columns of a text. @throws DataError if it is no text
bool looks_like_tsv(ByteSource& source);

/// Reads delimited text (RFC 4180; comma, tab or semicolon, found by content) into a dense table.
/// The first line is a header if a cell of it that would be a feature is neither a number nor
/// missing. A first column of distinct texts whose header is empty, id, sample, sample_id, name or
/// index is taken as the ids. Missing cells become NaN. One parallel pass over the text in memory.
/// @throws DataError naming file, line and column: a cell that is not a number, a row with too few
/// or too many fields, two features of one name, no rows
Table read_csv(ByteSource& source, const ReadOptions& options);

/// Writes ids, the given columns and the labels, with a header; numbers in the shortest form that
/// reads back exactly. A path that ends in .gz is compressed.
void write_csv(const std::string& path, const Table& table, std::span<const Index> columns,
               char delimiter);

}  // namespace tamis
