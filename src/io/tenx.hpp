#pragma once

#include <optional>

#include "io/byte_source.hpp"
#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

/// What Cell Ranger of 10x Genomics writes: counts of features (genes) in cells (barcodes).
namespace tamis {

/// Whether it is an HDF5 file with the parts of such a table.
bool looks_like_10x(ByteSource& source);

/// Reads an HDF5 file of Cell Ranger 3 and later (`matrix`), or of an earlier one (a group per
/// genome, of which there must be one): cells are rows, barcodes their ids. A name that several
/// features have is followed by the feature's id.
/// @throws DataError if a part is missing or does not fit the others
Table read_10x(ByteSource& source, const ReadOptions& options);
/// The same in runs of rows.
std::optional<TableStream> stream_10x(ByteSource& source, const ReadOptions& options);

/// Reads a folder with matrix.mtx, barcodes.tsv and features.tsv (or genes.tsv), each maybe
/// compressed, likewise.
/// @throws IoError naming the file that is missing
Table read_10x_folder(const std::string& path, const ReadOptions& options);

}  // namespace tamis
