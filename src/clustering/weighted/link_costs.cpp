#include "clustering/weighted/link_costs.hpp"

#include <algorithm>

namespace tamis {

LinkCosts::LinkCosts(const Links& links, Index n_clusters)
    : tree_(&links.tree()),
      n_clusters_(n_clusters),
      placed_(tree_->nodes().size(), 0.0),
      totals_(tree_->nodes().size() * n_clusters, 0.0),
      reached_(tree_->nodes().size()),
      is_reached_(totals_.size(), false) {}

void LinkCosts::clear() {
  std::ranges::fill(placed_, 0.0);
  std::ranges::fill(totals_, 0.0);
  for (std::vector<Index>& clusters : reached_) clusters.clear();
  is_reached_.assign(is_reached_.size(), false);
}

void LinkCosts::add(Index row, std::span<const double> memberships, double sign) {
  for (Index n = tree_->node_of(row); n != ClosureTree::kNone; n = tree_->nodes()[n].parent) {
    placed_[n] += sign;
    for (Index q = 0; q < n_clusters_; ++q) {
      if (memberships[q] == 0.0) continue;
      const Index place = n * n_clusters_ + q;
      totals_[place] += sign * memberships[q];
      if (!is_reached_[place]) reached_[n].push_back(q);
      is_reached_[place] = true;
    }
  }
}

/// The weight of two rows is the sum of the shares of the nodes that hold both, or of the parted
/// nodes that hold one each.
void LinkCosts::costs(Index row, std::span<double> costs) const {
  std::ranges::fill(costs, 0.0);
  for (Index n = tree_->node_of(row); n != ClosureTree::kNone; n = tree_->nodes()[n].parent) {
    const ClosureTree::Node& node = tree_->nodes()[n];
    for (Index q = 0; q < n_clusters_; ++q)
      costs[q] += node.share * (placed_[n] - totals_[n * n_clusters_ + q]);
    for (const ClosureTree::Parting& parting : node.parted)
      for (const Index q : reached_[parting.other])
        costs[q] += parting.share * totals_[parting.other * n_clusters_ + q];
  }
}

std::vector<Index> linked_rows(const Links& links, std::span<const Index> order) {
  std::vector<bool> is_linked;
  for (Index group = 0; group < links.n_groups(); ++group) {
    bool has_partner = links.groups()[group].size() > 1;
    links.for_each_apart(group, [&](Index) { has_partner = true; });
    is_linked.push_back(has_partner);
  }
  std::vector<Index> rows;
  for (const Index row : order)
    if (links.group_of(row) != Links::kNoGroup && is_linked[links.group_of(row)])
      rows.push_back(row);
  return rows;
}

}  // namespace tamis
