#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether it starts like a MATLAB file of level 5 or 7.3 (which is HDF5 inside).
bool looks_like_matlab(ByteSource& source);
/// Whether that is HDF5, of level 7.3.
bool looks_like_matlab_73(ByteSource& source);

/// Reads the table and the labels from two variables of a MATLAB file, level 5 or 7.3. The table
/// may be of any numeric class or logical, full or sparse (which stays sparse); `single` stays
/// float32. Labels are a vector of any numeric class, a char matrix or a cell array of texts.
/// Cell arrays `feature_names` and `sample_ids` of the right length are taken as names and ids.
/// @throws DataError if the table is missing (naming what there is), complex or not a matrix, if
/// sizes disagree, or if the file is damaged; IoError if it is compressed by gzip or a stream
Table read_matlab(ByteSource& source, const ReadOptions& options);

/// A full matrix of level 7.3 in runs of rows.
std::optional<TableStream> stream_matlab(ByteSource& source, const ReadOptions& options);

/// Writes X (sparse if the table is), Y if there are labels (numbers if all are numbers, else
/// texts), feature_names, and sample_ids if there are any; level 5.
void write_matlab(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
