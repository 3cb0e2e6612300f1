#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

namespace tamis {

/// The maximum spanning tree of |rho| over some columns, the best-ranked first, by Prim's algorithm
/// from the first column; ties to the better-ranked column to add, then to the better-ranked in the
/// tree. A constant column has rho = 0 with all others. (Gaussian mutual information
/// -log(1 - rho^2) / 2 grows with |rho|, so its tree is this one.) Edges in the order of joining:
/// first is in the tree already, second joins.
std::vector<Redundancy::Edge> maximum_spanning_tree(const MatrixView& x,
                                                    std::span<const Index> columns);

/// The same where somebody else knows |rho| of two columns. O(h^2) for h columns.
std::vector<Redundancy::Edge> maximum_spanning_tree(
    std::span<const Index> columns, const std::function<double(Index, Index)>& correlation);

/// Down the columns, best first: keeps a column still alive and removes its neighbours in the tree
/// that are joined with |rho| >= threshold.
struct Pruned {
  std::vector<Index> kept = {};  ///< in the order of the columns
  std::vector<Redundancy::Removal> removed = {};
};
Pruned prune_along_tree(std::span<const Index> columns, std::span<const Redundancy::Edge> tree,
                        double threshold);

}  // namespace tamis
