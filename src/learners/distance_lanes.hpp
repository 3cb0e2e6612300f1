#pragma once

#include <span>

#include "tamis/core/index.hpp"

/// Squared distances of one row to many that grow column by column, and which is the smallest.
namespace tamis {

/// Distances are computed on in so many lanes: their number must be a multiple. What fills them up
/// is best infinite.
inline constexpr Index kDistanceLanes = 16;

/// distances[j] += (columns[k * stride + j] - point[k])^2 for k = 0, 1, ..., in this order, and n
/// rows j; returns the smallest distance and, in least, that of each lane.
double add_squared_differences(const double* columns, Index stride, std::span<const double> point,
                               Index n, double* distances, double* least);

/// The first place of a distance that is at most the bound, sought only in lanes that hold one;
/// n if there is none.
Index first_at_most(const double* distances, Index n, const double* least, double bound);

}  // namespace tamis
