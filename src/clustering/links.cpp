#include "clustering/links.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "constraints/constraint_set.hpp"

namespace tamis {
namespace {

/// How many rows of a group each cluster holds, by ascending cluster; no zeros.
using ClusterCounts = std::vector<std::pair<Index, Index>>;

ClusterCounts counts_of(std::span<const Index> rows, std::span<const Index> clusters) {
  std::vector<Index> sorted;
  for (const Index row : rows) sorted.push_back(clusters[row]);
  std::ranges::sort(sorted);
  ClusterCounts counts;
  for (const Index cluster : sorted) {
    if (counts.empty() || counts.back().first != cluster) counts.emplace_back(cluster, 0);
    ++counts.back().second;
  }
  return counts;
}

Index pairs_within(Index n) { return n * (n - 1) / 2; }

/// Pairs of a row of one group and a row of the other in the same cluster.
Index pairs_together(const ClusterCounts& a, const ClusterCounts& b) {
  Index together = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (left->first == right->first) together += left->second * right->second;
    const bool move_left = left->first <= right->first;
    const bool move_right = right->first <= left->first;
    left += move_left ? 1 : 0;
    right += move_right ? 1 : 0;
  }
  return together;
}

/// Pairs of rows of two different classes in the same cluster.
Index classes_together(std::span<const ClusterCounts> classes, Index n_clusters) {
  std::vector<Index> seen(n_clusters, 0);
  Index together = 0;
  for (const ClusterCounts& counts : classes)
    for (const auto& [cluster, count] : counts) {
      together += seen[cluster] * count;
      seen[cluster] += count;
    }
  return together;
}

using RowsByCluster = std::map<Index, std::vector<Index>>;

RowsByCluster by_cluster(std::span<const Index> rows, std::span<const Index> clusters) {
  RowsByCluster parts;
  for (const Index row : rows) parts[clusters[row]].push_back(row);
  return parts;
}

/// Adds every pair of a row of one list and a row of the other; false once there are `limit`.
bool add_pairs(std::span<const Index> some, std::span<const Index> others, Index limit,
               std::vector<RowPair>& pairs) {
  for (const Index i : some)
    for (const Index j : others) {
      if (std::ssize(pairs) >= limit) return false;
      pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  return true;
}

/// Must-linked rows in different clusters.
bool add_parted(const RowsByCluster& group, Index limit, std::vector<RowPair>& pairs) {
  for (auto one = group.begin(); one != group.end(); ++one)
    for (auto other = std::next(one); other != group.end(); ++other)
      if (!add_pairs(one->second, other->second, limit, pairs)) return false;
  return true;
}

/// Rows of two groups in the same cluster.
bool add_joined(const RowsByCluster& group, const RowsByCluster& other, Index limit,
                std::vector<RowPair>& pairs) {
  for (const auto& [cluster, rows] : group)
    if (const auto found = other.find(cluster); found != other.end())
      if (!add_pairs(rows, found->second, limit, pairs)) return false;
  return true;
}

void sort_by_rows(std::vector<RowPair>& pairs) {
  std::ranges::sort(pairs, {}, [](const RowPair& p) { return std::pair(p.first, p.second); });
}

}  // namespace

Links::Links(const Knowledge& known, Index n_rows)
    : Links(ConstraintSet(known, n_rows), known.pairs.value_or(PairConstraints{}), n_rows) {}

Links::Links(const ConstraintSet& checked, const PairConstraints& pairs, Index n_rows)
    : n_classes_(std::ssize(checked.classes())),
      tree_(checked.classes(), pairs, n_rows),
      group_of_(n_rows, kNoGroup) {
  Index n_groups = n_classes_;
  std::vector<Index> group_of_root(tree_.nodes().size(), kNoGroup);
  for (Index c = 0; c < n_classes_; ++c)
    for (const Index row : checked.classes()[c]) {
      group_of_[row] = c;
      if (tree_.root_of(row) != ClosureTree::kNone) group_of_root[tree_.root_of(row)] = c;
    }
  for (Index row = 0; row < n_rows; ++row) {
    const Index root = tree_.root_of(row);
    if (root == ClosureTree::kNone) continue;
    if (group_of_root[root] == kNoGroup) group_of_root[root] = n_groups++;
    group_of_[row] = group_of_root[root];
  }
  groups_.resize(n_groups);
  for (Index row = 0; row < n_rows; ++row)
    if (group_of_[row] != kNoGroup) groups_[group_of_[row]].push_back(row);
  part(group_of_root);
}

void Links::part(std::span<const Index> group_of_root) {
  apart_.resize(groups_.size());
  for (Index root = 0; root < std::ssize(group_of_root); ++root) {
    const Index one = group_of_root[root];
    if (one == kNoGroup) continue;
    for (const ClosureTree::Parting& parting : tree_.nodes()[root].parted) {
      const Index other = group_of_root[parting.other];
      if (other != kNoGroup && !(is_class(one) && is_class(other))) apart_[one].push_back(other);
    }
  }
  for (std::vector<Index>& others : apart_) std::ranges::sort(others);
}

Violations violations(const Links& links, std::span<const Index> clusters) {
  if (links.n_groups() == 0) return {};
  std::vector<ClusterCounts> counts;
  for (const std::vector<Index>& rows : links.groups()) counts.push_back(counts_of(rows, clusters));
  Violations broken;
  for (Index g = 0; g < links.n_groups(); ++g) {
    broken.must_link += pairs_within(std::ssize(links.groups()[g]));
    for (const auto& [cluster, count] : counts[g]) broken.must_link -= pairs_within(count);
    for (const Index other : links.apart_by_pairs(g))
      if (other > g) broken.cannot_link += pairs_together(counts[g], counts[other]);
  }
  const std::span<const ClusterCounts> classes(counts.data(),
                                               static_cast<std::size_t>(links.n_classes()));
  broken.cannot_link += classes_together(classes, std::ranges::max(clusters) + 1);
  return broken;
}

PairConstraints broken_pairs(const Links& links, std::span<const Index> clusters, Index limit) {
  std::vector<RowsByCluster> groups;
  for (const std::vector<Index>& rows : links.groups())
    groups.push_back(by_cluster(rows, clusters));
  PairConstraints broken;
  for (const RowsByCluster& group : groups)
    if (!add_parted(group, limit, broken.must_link)) break;
  bool has_room = true;
  for (Index g = 0; g < links.n_groups() && has_room; ++g)
    links.for_each_apart(g, [&](Index other) {
      if (other > g && has_room)
        has_room = add_joined(groups[g], groups[other], limit, broken.cannot_link);
    });
  sort_by_rows(broken.must_link);
  sort_by_rows(broken.cannot_link);
  return broken;
}

}  // namespace tamis
