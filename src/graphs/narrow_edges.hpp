#pragma once

#include <span>
#include <vector>

#include "graphs/graph.hpp"

namespace tamis {

/// Whether narrow_neighbor_edges is made for this many rows of the table and neighbours.
bool is_narrow(const MatrixView& x, Index n_rows, Index k);

/// The edges of the k-neighbour graph among the given rows (ascending), ascending, each once, with
/// its squared distance: what nearest_neighbors would give, for tables of few columns, where
/// choosing costs more than multiplying. Keys of a panel of rows with all rows come from
/// products in float32 or of integers; the smallest of each group of columns bound the k-th; and
/// only edges, not candidates, are measured in double, unless rounding leaves the choice open. k <
/// number of rows.
/// @throws InvalidArgument for a sparse table: ask is_narrow first
std::vector<RowPair> narrow_neighbor_edges(const MatrixView& x, std::span<const Index> among,
                                           Index k, Symmetry symmetry);

}  // namespace tamis
