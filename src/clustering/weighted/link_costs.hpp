#pragma once

#include <span>
#include <vector>

#include "clustering/links.hpp"

namespace tamis {

/// What it costs to put a row into a cluster: the weight of the links with rows placed before it
/// that would break, those in several clusters counted by their memberships. Kept as totals of the
/// nodes of the closure, so that the l^2/2 pairs of l labels are never visited.
class LinkCosts {
 public:
  LinkCosts(const Links& links, Index n_clusters);

  void clear();
  void place(Index row, std::span<const double> memberships) { add(row, memberships, 1.0); }
  void remove(Index row, std::span<const double> memberships) { add(row, memberships, -1.0); }

  /// costs[q] = sum over must-linked rows placed of w (1 - a_q) + sum over cannot-linked ones of
  /// w a_q, w being the weight of the link
  void costs(Index row, std::span<double> costs) const;

 private:
  void add(Index row, std::span<const double> memberships, double sign);

  const ClosureTree* tree_;
  Index n_clusters_;
  std::vector<double> placed_;  // rows of each node
  std::vector<double> totals_;  // of memberships: nodes x clusters
  // Of each node the clusters whose totals are not all zero: with as many clusters as classes they
  // are few, and the classes that a class is parted from many.
  std::vector<std::vector<Index>> reached_;
  std::vector<bool> is_reached_;
};

/// Rows that have a must-link or cannot-link, in the given order of all rows.
std::vector<Index> linked_rows(const Links& links, std::span<const Index> order);

}  // namespace tamis
