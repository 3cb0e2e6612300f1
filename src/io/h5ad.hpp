#pragma once

#include <span>

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether it is an HDF5 file with the parts of an AnnData object.
bool looks_like_h5ad(ByteSource& source);

/// Reads X of an AnnData file, or the layer that the options name: dense, CSR or CSC (then sparse);
/// float32 stays float32. Names of features and ids are those of var and obs; columns of obs may
/// hold the labels. Files of anndata 0.7 and later are read.
/// @throws DataError for an encoding that is not known, naming it; InvalidArgument if there is no
/// such layer; IoError if it is compressed or a stream
Table read_h5ad(ByteSource& source, const ReadOptions& options);

/// Writes X, obs with the labels as a categorical column, and var.
void write_h5ad(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
