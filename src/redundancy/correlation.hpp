#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Two of a list of columns, by their positions in it.
struct PositionPair {
  Index first;
  Index second;
};

/// |rho|, the absolute Pearson correlation over all rows, of pairs of the columns (all different).
/// A constant column has rho = 0; identical or negated columns have exactly 1. Equal values tie
/// exactly where columns hold integers of moderate size, because their sums have no rounding.
/// Deterministic; O(rows) per pair.
std::vector<double> absolute_correlations(const MatrixView& x, std::span<const Index> columns,
                                          std::span<const PositionPair> pairs);

/// Mean |rho| over the pairs of h columns, O(rows h^2); 0 for fewer than two columns.
double mean_absolute_correlation(const MatrixView& x, std::span<const Index> columns);

/// The same where somebody else knows |rho| of two columns.
double mean_absolute_correlation(std::span<const Index> columns,
                                 const std::function<double(Index, Index)>& correlation);

/// The redundancy rate RED of h columns: sum_{i>j} |rho_ij| / (h(h-1)), half the mean, so at most
/// 1/2. Zhao, Wang, Liu, Ye, "On similarity preserving feature selection", TKDE 2013.
double redundancy_rate(const MatrixView& x, std::span<const Index> columns);

}  // namespace tamis
