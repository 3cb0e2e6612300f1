#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "io/table_stream.hpp"
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
/// The same in runs of rows; nothing of a matrix that is kept by columns (CSC).
std::optional<TableStream> stream_h5ad(ByteSource& source, const ReadOptions& options);

/// What an AnnData file says of its rows: their names, in a column without one, and the columns of
/// obs; each with a text for every row.
struct ObsTexts {
  std::vector<std::string> names = {};
  std::vector<std::vector<std::string>> columns = {};
};
/// @throws as read_h5ad
ObsTexts read_h5ad_obs(ByteSource& source);

/// Writes X, obs with the labels as a categorical column, and var.
void write_h5ad(const std::string& path, const Table& table, std::span<const Index> columns);

}  // namespace tamis
