#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

/// How good predictions, clusterings and feature sets are. All comparisons of two lists throw
/// InvalidArgument if they are empty or differ in length.
namespace tamis {

/// Share of rows whose class was predicted.
double accuracy(std::span<const Index> truth, std::span<const Index> predicted);

/// Mean over the true classes of the share of their rows that was predicted.
double balanced_accuracy(std::span<const Index> truth, std::span<const Index> predicted);

/// Share of pairs of rows that two clusterings treat alike: together in both, or apart in both. 1
/// for a single row.
double rand_index(std::span<const Index> a, std::span<const Index> b);

/// The same, corrected for chance: 1 for equal partitions, 0 on average for random ones. Hubert,
/// Arabie, "Comparing partitions", Journal of Classification 2, 1985.
double adjusted_rand_index(std::span<const Index> a, std::span<const Index> b);

/// Mutual information of two clusterings, divided by the arithmetic mean of their entropies; 1 if
/// both are a single cluster.
double normalized_mutual_information(std::span<const Index> a, std::span<const Index> b);

/// How redundant the first lengths[0], lengths[1], ... of the features are: mean |rho| over their
/// pairs, 0 for a single one. The rate RED is half of it. O(rows h^2) for all prefixes together, h
/// being the last length.
std::vector<double> mean_correlations_by_prefix(const MatrixView& x,
                                                std::span<const Index> features,
                                                std::span<const Index> lengths);

}  // namespace tamis
