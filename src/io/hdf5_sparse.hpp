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

/// What reading them in runs of rows needs, too (hdf5_rows.hpp).
/// @throws DataError if it is no dataset
Hdf5Object hdf5_part(const Hdf5File& file, const Hdf5Object& group, const char* name);
bool holds_singles(const Hdf5Object& dataset);
/// Rows and columns of a dense one. @throws DataError if it has other dimensions, or none
std::vector<Index> hdf5_table_shape(const Hdf5Object& dataset);
/// @throws DataError if there are none, or more than the file can be about
void check_hdf5_sparse_shape(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                             bool is_trusted);
/// @throws DataError unless the starts of so many lines ascend from 0 to the number of entries
void check_hdf5_starts(const Hdf5Object& group, const std::vector<Index>& starts, Index indices,
                       Index values, Index lines);
/// Puts entries of rows in order, if they are not. @throws DataError if there is no such column
template <class T>
void tidy_hdf5_rows(const Hdf5Object& group, CsrTable<T>& rows);
extern template void tidy_hdf5_rows(const Hdf5Object&, CsrTable<float>&);
extern template void tidy_hdf5_rows(const Hdf5Object&, CsrTable<double>&);

}  // namespace tamis
