#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

bool looks_like_npy(ByteSource& source);

/// Reads a two-dimensional NPY array (versions 1 to 3, either byte order, C or Fortran order):
/// float32 stays float32; float64, integers and booleans become double. A plain
/// file of native floats in C order goes straight into the table, without a second copy.
/// @throws DataError for other shapes and types, and if the data are shorter than the header says
Table read_npy(ByteSource& source, const ReadOptions& options);

/// The same in runs of rows, if they lie behind each other (C order).
std::optional<TableStream> stream_npy(ByteSource& source, const ReadOptions& options);

/// Writes the given columns in C order; there is no place for names, ids and labels.
void write_npy(const std::string& path, const Table& table, std::span<const Index> columns);

/// The same of a table of which so many rows are in memory at once.
void write_npy_stream(const std::string& path, TableStream& stream, std::span<const Index> columns,
                      Index rows_at_once);

/// An array of one dimension, or of one column, as texts: labels, say.
/// @throws DataError for any other
std::vector<std::string> read_npy_vector(ByteSource& source);

}  // namespace tamis
