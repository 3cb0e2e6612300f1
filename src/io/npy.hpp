#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "io/npy_header.hpp"
#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

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

/// An array of one dimension, or of one column, of numbers or texts, as texts: labels, say.
/// @throws DataError for any other
std::vector<std::string> read_npy_vector(ByteSource& source);

/// What follows a header, of which the caller knows that it fits:
/// a table of numbers; of float32, if it is stored or asked for so;
OwnedTable read_npy_table(ByteSource& source, const NpyHeader& header, Precision precision);
/// numbers as T; whole numbers that are too large for it as its largest, and likewise small ones;
template <class T>
std::vector<T> read_npy_numbers(ByteSource& source, const NpyHeader& header);
/// numbers or texts as texts.
std::vector<std::string> read_npy_texts(ByteSource& source, const NpyHeader& header);

}  // namespace tamis
