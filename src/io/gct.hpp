#pragma once

#include "io/byte_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether the first line is `#1.2` or `#1.3`.
bool looks_like_gct(ByteSource& source);

/// Reads a table of gene expression of GenePattern (1.2) or the Connectivity Map (1.3), whose rows
/// are genes: they become the features, its columns the samples. Descriptions of genes are left
/// out; of 1.3, what is said of samples may hold the labels.
/// @throws DataError naming file, line and column
Table read_gct(ByteSource& source, const ReadOptions& options);

}  // namespace tamis
