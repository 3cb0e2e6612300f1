#pragma once

#include <cstdint>
#include <span>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// Up to here the smaller side of a table has an exact eigenproblem.
inline constexpr Index kExactComponentsSide = 1000;

/// The scores of the rows on the `count` leading principal components of the ranked columns, column
/// r multiplied by scales[r]; fewer if the table has fewer. Exact if rows or columns are at most
/// kExactComponentsSide, else by subspace iteration from RandomStream(seed) (6 steps, 10 further
/// vectors: Halko, Martinsson, Tropp, SIAM Review 53, 2011). The table is only multiplied with, so
/// sparse ones stay sparse.
RowVectors principal_scores(const RankedTable& z, std::span<const double> scales, Index count,
                            std::uint64_t seed);

/// The same vectors (centred) in the directions along which they vary, those of which they vary
/// most first; directions along which they do not are gone.
RowVectors on_principal_axes(const RowVectors& centred);

}  // namespace tamis
