#pragma once

#include <memory>

#include "io/hdf5_file.hpp"
#include "tamis/core/row_source.hpp"
#include "tamis/io/open.hpp"

namespace tamis {

/// What read_hdf5_dense reads, in runs of rows.
/// @throws as that, here or when rows are read
std::unique_ptr<RowSource> hdf5_dense_rows(std::shared_ptr<const Hdf5File> file,
                                           std::shared_ptr<const Hdf5Object> dataset,
                                           Precision precision);

/// What read_hdf5_sparse reads by rows, in runs of them. Where each row begins is in memory.
/// @throws as that, here or when rows are read
std::unique_ptr<RowSource> hdf5_sparse_rows(std::shared_ptr<const Hdf5File> file,
                                            std::shared_ptr<const Hdf5Object> group, Index rows,
                                            Index cols, bool is_trusted, Precision precision);

}  // namespace tamis
