#pragma once

#include <span>
#include <vector>

#include "clustering/links.hpp"

namespace tamis {

/// What it costs to put a row into a cluster: how many links with rows placed before it would
/// break, those in several clusters counted by their memberships. Kept as totals of groups, so that
/// the l^2/2 pairs of l labels are never visited.
class LinkCosts {
 public:
  LinkCosts(const Links& links, Index n_clusters);

  void clear();
  void place(Index row, std::span<const double> memberships) { add(row, memberships, 1.0); }
  void remove(Index row, std::span<const double> memberships) { add(row, memberships, -1.0); }

  /// costs[q] = sum over must-linked rows placed of (1 - a_q) + sum over cannot-linked ones of a_q
  void costs(Index row, std::span<double> costs) const;

 private:
  void add(Index row, std::span<const double> memberships, double sign);

  const Links* links_;
  Index n_clusters_;
  std::vector<double> placed_;  // rows of each group
  std::vector<double> totals_;  // of memberships: groups x clusters
};

/// Rows that have a must-link or cannot-link, in the given order of all rows.
std::vector<Index> linked_rows(const Links& links, std::span<const Index> order);

}  // namespace tamis
