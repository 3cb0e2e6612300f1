#include "clustering/ward/agglomerative_neighbors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "clustering/ward/distance_tile.hpp"
#include "core/large_pages.hpp"
#include "graphs/knn_exact.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// The share of all lists that are renewed together at most.
constexpr Index kShareDue = 8;
constexpr float kAnyDistance = std::numeric_limits<float>::infinity();
/// Neighbours of each row to begin with: fewer than a list may hold, as finding them takes memory.
constexpr Index kFirst = 16;

/// Takes the nearer one; of equally near ones `before`, then the lower.
void take_nearer(ClusterDistance& best, const ClusterDistance& other, Index before) {
  const bool wins_tie =
      best.cluster < 0 ||
      (best.cluster != before && (other.cluster == before || other.cluster < best.cluster));
  if (other.squared < best.squared || (other.squared == best.squared && wins_tie)) best = other;
}

}  // namespace

ClusterNeighbors::ClusterNeighbors(WardClusters& clusters, Index max_held, const Progress& progress)
    : clusters_(clusters),
      filter_(clusters.table(), max_held),
      pass_(clusters, filter_),
      lists_(clusters.table().rows()),
      planned_(clusters.table().rows()),
      scratch_(clusters.make_scratch()),
      tile_(filter_),
      point_(filter_.make_room(1)),
      known_(clusters.table().rows()),
      partners_(clusters.table().rows(), -1),
      is_due_(clusters.table().rows(), false),
      is_tied_(clusters.table().rows(), false) {
  fill_lists(progress);
  // What neighbours took would stay beside the points that will be held.
  give_back_freed(clusters.table().rows() * clusters.table().cols());
  if (may_stop_early(filter_.width())) arrange_clusters();
}

/// Of rows whose distances overflow lists stay empty, to be filled one by one. Where a row has more
/// neighbours than were found, the farthest of these tells how near the rest may be.
void ClusterNeighbors::fill_lists(const Progress& progress) {
  const Index rows = clusters_.table().rows();
  if (!filter_.can_multiply_rows()) return;
  std::mutex one_at_a_time;
  const auto take = [&](Index row, std::span<const Neighbor> found) {
    const bool are_all = std::ssize(found) == rows - 1;
    Shortlist nearest;
    for (const Neighbor& other : are_all ? found : found.first(found.size() - 1))
      nearest.show(other.row, other.squared_distance);
    NearList list = nearest.list();
    if (!are_all) list.bound_of_rest = round_down(found.back().squared_distance);
    const std::scoped_lock lock(one_at_a_time);
    lists_.set(row, list);
  };
  each_nearest_neighbors(clusters_.table(), kFirst + 1, take, progress);
}

/// Neighbours come one after the other, so that all rows of a tile are near, or all are far.
void ClusterNeighbors::arrange_clusters() {
  const Index rows = clusters_.table().rows();
  std::vector<bool> is_seen(rows, false);
  std::vector<Index> order;
  order.reserve(rows);
  const auto see = [&](Index row) {
    if (!is_seen[row]) order.push_back(row);
    is_seen[row] = true;
  };
  for (Index row = 0, next = 0; row < rows; ++row)
    for (see(row); next < std::ssize(order); ++next)
      for (NearList list = lists_.get(order[next]); const NearCluster& entry : list.listed())
        see(entry.cluster);
  clusters_.arrange(std::move(order));
}

ClusterDistance ClusterNeighbors::nearest(Index cluster, Index before) {
  std::vector<double> own = clusters_.make_scratch();
  const double* const centroid = clusters_.centroid(cluster, own);
  const ClusterDistance listed = best_of_list(cluster, before, centroid);
  if (listed.squared < lists_.bound_of_rest(cluster)) return listed;
  renew_lists(cluster);
  const ClusterDistance renewed = best_of_list(cluster, before, centroid);
  if (renewed.squared < lists_.bound_of_rest(cluster)) return renewed;
  return best_of_all(cluster, before, centroid);
}

ClusterDistance ClusterNeighbors::best_of_list(Index cluster, Index before,
                                               const double* centroid) {
  ClusterDistance best;
  const auto measure = [&](Index other) {
    return clusters_.squared_distance_from(centroid, cluster, other, scratch_);
  };
  if (before >= 0) best = {before, measure(before)};
  NearList list = lists_.get(cluster);
  for (NearCluster& entry : list.listed()) {
    if (static_cast<double>(entry.bound) > best.squared) break;
    const Index other = clusters_.find(entry.cluster);
    entry.cluster = static_cast<std::int32_t>(other);
    const double squared = other == best.cluster ? best.squared : measure(other);
    entry.bound = round_down(squared);
    take_nearer(best, {other, squared}, before);
  }
  std::ranges::sort(list.listed(), {}, &NearCluster::bound);
  lists_.set(cluster, list);
  return best;
}

/// Raises the bounds of a list to what float32 tells of those clusters that are one point.
NearList ClusterNeighbors::tightened_list(Index cluster) {
  NearList list = lists_.get(cluster);
  const std::span<NearCluster> listed = list.listed();
  filter_.copy_point(clusters_.centroid(cluster, scratch_), point_.data());
  const auto size = static_cast<double>(clusters_.size(cluster));
  for (Index from = 0; from < std::ssize(listed); from += kTileRows) {
    const Index count = std::min(kTileRows, std::ssize(listed) - from);
    std::array<Index, kTileRows> rows;
    for (Index l = 0; l < kTileRows; ++l) {
      NearCluster& entry = listed[from + std::min(l, count - 1)];
      rows[l] = clusters_.find(entry.cluster);
      entry.cluster = static_cast<std::int32_t>(rows[l]);
    }
    tile_.set(rows);
    tile_.need(filter_.width());  // each row in one go
    std::array<float, kTileRows> measured;
    measure_tile(point_.data(), 1, tile_, filter_.width(), &kAnyDistance, measured.data());
    for (Index l = 0; l < count; ++l) {
      if (!is_point(clusters_, filter_, rows[l])) continue;
      NearCluster& entry = listed[from + l];
      const auto other_size = static_cast<double>(clusters_.size(rows[l]));
      const double squared = filter_.bound(measured[l], filter_.absolute_error(rows[l]));
      const double bound = WardClusters::scale(size, other_size) * squared;
      entry.bound = std::max(entry.bound, round_down(bound));
    }
  }
  std::ranges::sort(listed, {}, &NearCluster::bound);
  lists_.set(cluster, list);
  return list;
}

/// The nearest as far as the list tells it, -1 where that is used up. Only to guess what will be
/// needed: bounds decide, not distances.
Index ClusterNeighbors::known_nearest(Index cluster) {
  Known& known = known_[cluster];
  if (known.cluster >= 0 && clusters_.size(known.cluster) == known.size) return known.cluster;
  const NearList list = tightened_list(cluster);
  if (list.is_used_up()) return -1;
  const NearCluster& best = list.entries[0];
  known = {best.cluster, static_cast<std::int32_t>(clusters_.size(best.cluster))};
  return best.cluster;
}

/// What a cluster will need soon, if anything: a list, or one of what it becomes with its nearest.
Due ClusterNeighbors::due_around(Index cluster) {
  if (is_due_[cluster] || partners_[cluster] >= 0) return {};
  const Index other = known_nearest(cluster);
  if (other < 0) return is_tied_[cluster] ? Due{} : Due{.cluster = cluster};
  if (is_due_[other] || partners_[other] >= 0 || known_nearest(other) != cluster) return {};
  return {.cluster = std::min(cluster, other), .partner = std::max(cluster, other)};
}

/// The cluster, and others in turn that need something.
std::vector<Due> ClusterNeighbors::due_with(Index cluster) {
  const std::vector<Index>& active = clusters_.active();
  const Index count = std::ssize(active);
  const Index most = std::min(ListPass::kMost, 1 + count / kShareDue);
  std::vector<Due> all;
  const auto add = [&](const Due& due) {
    all.push_back(due);
    is_due_[due.cluster] = true;
    if (due.partner >= 0) is_due_[due.partner] = true;
  };
  add({.cluster = cluster});
  for (Index seen = 0; seen < count && std::ssize(all) < most; ++seen) {
    next_ = (next_ + 1) % count;
    const Due due = due_around(active[next_]);
    if (due.cluster >= 0) add(due);
  }
  for (const Due& due : all) {
    is_due_[due.cluster] = false;
    if (due.partner >= 0) is_due_[due.partner] = false;
  }
  return all;
}

void ClusterNeighbors::renew_lists(Index cluster) {
  const std::vector<Due> all = due_with(cluster);
  const std::vector<NearList> lists = pass_.lists_of(all);
  for (std::size_t p = 0; p < all.size(); ++p) {
    const auto& [of, partner] = all[p];
    if (partner < 0) {
      lists_.set(of, lists[p]);
      is_tied_[of] = lists[p].is_used_up();
      continue;
    }
    partners_[of] = static_cast<std::int32_t>(partner);
    partners_[partner] = static_cast<std::int32_t>(of);
    planned_.set(of, lists[p]);
  }
}

ClusterDistance ClusterNeighbors::best_of_all(Index cluster, Index before, const double* centroid) {
  const std::vector<Index>& active = clusters_.active();
  distances_.resize(active.size());
  parallel_for_with(
      std::ssize(active), kTileRows * tiles_per_task(clusters_.table().cols()),
      [&] { return clusters_.make_scratch(); },
      [&](std::vector<double>& scratch, Index begin, Index end) {
        for (Index s = begin; s < end; ++s)
          distances_[s] = clusters_.squared_distance_from(centroid, cluster, active[s], scratch);
      });
  ClusterDistance best;
  for (Index s = 0; s < std::ssize(active); ++s)
    if (active[s] != cluster) take_nearer(best, {active[s], distances_[s]}, before);
  return best;
}

/// What the list says of the clusters as they are now, each once, ascending. Of two that have
/// merged since, the lower bound holds.
std::vector<NearCluster> ClusterNeighbors::entries_by_cluster(NearList list, Index except,
                                                              Index and_except) {
  std::vector<NearCluster> entries;
  for (const NearCluster& entry : list.listed()) {
    const Index other = clusters_.find(entry.cluster);
    if (other != except && other != and_except)
      entries.push_back({static_cast<std::int32_t>(other), entry.bound});
  }
  std::ranges::sort(entries, {},
                    [](const NearCluster& e) { return std::pair(e.cluster, e.bound); });
  const auto same_cluster = [](const NearCluster& a, const NearCluster& b) {
    return a.cluster == b.cluster;
  };
  entries.erase(std::unique(entries.begin(), entries.end(), same_cluster), entries.end());
  return entries;
}

/// With sizes a, b, c the squared distance of the merged cluster from a third is
///   ((a + c) d_AC + (b + c) d_BC - c d_AB) / (a + b + c),
/// which grows with d_AC and d_BC. It is monotone in c, so that for clusters of any size its least
/// value is that at c = 1 or in the limit; and it is no less than d_AB.
NearList ClusterNeighbors::joined(Index a, Index b, double squared) {
  const auto rows_a = static_cast<double>(clusters_.size(a));
  const auto rows_b = static_cast<double>(clusters_.size(b));
  const double rest_a = lists_.bound_of_rest(a);
  const double rest_b = lists_.bound_of_rest(b);
  const auto bound = [&](double d_a, double d_b, double c) {
    return std::max(
        squared, ((rows_a + c) * d_a + (rows_b + c) * d_b - c * squared) / (rows_a + rows_b + c));
  };
  const std::vector<NearCluster> of_a = entries_by_cluster(lists_.get(a), a, b);
  const std::vector<NearCluster> of_b = entries_by_cluster(lists_.get(b), a, b);
  Shortlist nearest;
  const auto show = [&](Index other, double d_a, double d_b) {
    nearest.show(other, bound(d_a, d_b, static_cast<double>(clusters_.size(other))));
  };
  auto left = of_a.begin();
  auto right = of_b.begin();
  while (left != of_a.end() || right != of_b.end()) {
    if (right == of_b.end() || (left != of_a.end() && left->cluster < right->cluster)) {
      show(left->cluster, left->bound, rest_b);
      ++left;
    } else if (left == of_a.end() || right->cluster < left->cluster) {
      show(right->cluster, rest_a, right->bound);
      ++right;
    } else {
      show(left->cluster, left->bound, right->bound);
      ++left;
      ++right;
    }
  }
  NearList list = nearest.list();
  const double rest =
      std::min(bound(rest_a, rest_b, 1.0), std::max(squared, rest_a + rest_b - squared));
  list.bound_of_rest = std::min(list.bound_of_rest, static_cast<double>(round_down(rest)));
  return list;
}

/// The list of what two become, if it was made beforehand; forgets whatever was planned with
/// either.
std::optional<NearList> ClusterNeighbors::take_planned(Index a, Index b) {
  std::optional<NearList> list;
  if (partners_[a] == b) list = planned_.get(std::min(a, b));
  for (const Index one : {a, b}) {
    const Index partner = partners_[one];
    if (partner < 0) continue;
    planned_.clear(std::min(one, partner));
    partners_[one] = partners_[partner] = -1;
  }
  return list;
}

Index ClusterNeighbors::merge(Index a, Index b, double squared) {
  const std::optional<NearList> planned = take_planned(a, b);
  const NearList list = planned ? *planned : joined(a, b, squared);
  for (const Index one : {a, b}) {
    lists_.clear(one);
    known_[one] = {};
    is_tied_[one] = false;
  }
  filter_.release(std::max(a, b));
  const Index merged = clusters_.merge(a, b, squared);
  filter_.hold(merged, clusters_.centroid(merged, scratch_));
  lists_.set(merged, list);
  return merged;
}

}  // namespace tamis
