#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

bool looks_like_matrix_market(ByteSource& source);

/// Reads a Matrix Market file: coordinates into a sparse table, an array into a dense one; real,
/// integer and pattern (each entry 1); general, symmetric and skew-symmetric. Entries of one place
/// are added up.
/// @throws DataError naming file and line; complex matrices are refused
Table read_matrix_market(ByteSource& source, const ReadOptions& options);

/// Writes the coordinates of a sparse table, the array of a dense one; there is no place for names,
/// ids and labels.
void write_matrix_market(const std::string& path, const Table& table,
                         std::span<const Index> columns);

/// The matrix in such a file by rows, or, turned, by columns, as a table of numbers without names.
OwnedTable read_matrix_market_data(ByteSource& source, bool is_turned, bool is_trusted);

}  // namespace tamis
