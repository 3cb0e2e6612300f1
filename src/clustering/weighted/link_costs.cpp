#include "clustering/weighted/link_costs.hpp"

#include <algorithm>

namespace tamis {

LinkCosts::LinkCosts(const Links& links, Index n_clusters)
    : links_(&links),
      n_clusters_(n_clusters),
      placed_(links.n_groups(), 0.0),
      totals_(links.n_groups() * n_clusters, 0.0) {}

void LinkCosts::clear() {
  std::ranges::fill(placed_, 0.0);
  std::ranges::fill(totals_, 0.0);
}

void LinkCosts::add(Index row, std::span<const double> memberships, double sign) {
  const Index group = links_->group_of(row);
  placed_[group] += sign;
  for (Index q = 0; q < n_clusters_; ++q) totals_[group * n_clusters_ + q] += sign * memberships[q];
}

void LinkCosts::costs(Index row, std::span<double> costs) const {
  const Index group = links_->group_of(row);
  for (Index q = 0; q < n_clusters_; ++q)
    costs[q] = placed_[group] - totals_[group * n_clusters_ + q];
  links_->for_each_apart(group, [&](Index other) {
    for (Index q = 0; q < n_clusters_; ++q) costs[q] += totals_[other * n_clusters_ + q];
  });
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
