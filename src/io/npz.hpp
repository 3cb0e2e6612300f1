#pragma once

#include <span>
#include <string>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// A ZIP archive of NPY arrays, as NumPy's savez and SciPy's save_npz write it.
bool looks_like_npz(ByteSource& source);

/// Reads the array that holds the table, or the sparse matrix that the arrays of save_npz make
/// (CSR, CSC or COO). Arrays with an item for each row may be the labels or the ids, one with a
/// text for each column the names of features; which they are is told by their names. Python
/// objects are never made.
/// @throws DataError if the archive or an array is damaged, if several arrays could be the table,
/// and for what only Python can read
Table read_npz(ByteSource& source, const ReadOptions& options);

/// Writes the given columns: as the array X, or if they are sparse so that scipy.sparse.load_npz
/// reads them; beside them feature_names and, if there are any, sample_ids and labels.
void write_npz(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
