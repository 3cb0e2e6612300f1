#pragma once

#include <span>
#include <vector>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// Labels and pairs closed transitively, with what each pair that follows weighs: as much as the
/// lightest pair on the way to it, and where there are several ways, as on the best of them. So
/// rows grow together from the heaviest pair down, and nodes nest: two rows are must-linked with
/// the weight of the smallest node that holds both, and cannot-linked with that of the smallest
/// parted nodes that hold one each. Pairs are never listed: O(rows + given pairs) if all weigh the
/// same, times the number of different weights at most.
class ClosureTree {
 public:
  static constexpr Index kNone = -1;

  /// Two nodes whose rows are cannot-linked; kept at both.
  struct Parting {
    Index other;
    double weight;
    double share;  ///< what it weighs more than the next larger parted nodes
  };
  struct Node {
    double weight = 0.0;  ///< 0 if it is a single row
    double share = 0.0;   ///< what it weighs more than its parent
    Index parent = kNone;
    std::vector<Parting> parted = {};  ///< by ascending number of the other node
  };

  /// Rows of a class are must-linked, rows of two cannot-linked, with weight 1. Pairs of weight 0
  /// count for nothing. Contradictions are for the caller to find: a cannot-link within a node.
  ClosureTree(std::span<const std::vector<Index>> classes, const PairConstraints& pairs,
              Index rows);

  /// A parent has a higher number than its children.
  std::span<const Node> nodes() const { return nodes_; }
  /// The smallest node that holds the row; kNone if nothing is known about it.
  Index node_of(Index row) const { return node_of_row_[row]; }
  /// The largest.
  Index root_of(Index row) const;

  /// 0 if nothing follows about the two rows.
  double must_link_weight(Index i, Index j) const;
  double cannot_link_weight(Index i, Index j) const;

 private:
  friend class ClosureTreeBuilder;

  std::vector<Node> nodes_;
  std::vector<Index> node_of_row_;
};

}  // namespace tamis
