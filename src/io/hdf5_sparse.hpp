#pragma once

#include "io/hdf5_file.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

/// A sparse matrix in a group of HDF5: datasets `data`, `indices` and `indptr`, as SciPy calls
/// them, by rows, or, if `is_by_columns`, by columns. float32 stays float32.
/// @throws DataError if a part is missing or does not fit the others
OwnedTable read_hdf5_sparse(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                            bool is_by_columns, bool is_trusted);

/// A dense one. float32 stays float32.
OwnedTable read_hdf5_dense(const Hdf5Object& dataset);

}  // namespace tamis
