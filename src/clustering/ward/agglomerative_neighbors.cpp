#include "clustering/ward/agglomerative_neighbors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "graphs/knn_exact.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Lists that are renewed together.
constexpr Index kDue = 8;
/// Neighbours of each row to begin with: fewer than a list may hold, as finding them takes memory.
constexpr Index kFirst = 16;
constexpr Index kAtOnce = DistanceFilter::kAtOnce;
static_assert(kDue <= kAtOnce);  // their centroids share a room of the filter

/// As float32 and a little smaller: reducibility holds for exact distances, and rounding may break
/// it by far less than this.
float round_down(double squared) {
  const double low = std::min<double>(squared * (1.0 - 1e-6), std::numeric_limits<float>::max());
  const auto rounded = static_cast<float>(low);
  return static_cast<double>(rounded) <= squared ? rounded : 0.0F;
}

/// Takes the nearer one; of equally near ones `before`, then the lower.
void take_nearer(ClusterDistance& best, const ClusterDistance& other, Index before) {
  const bool wins_tie =
      best.cluster < 0 ||
      (best.cluster != before && (other.cluster == before || other.cluster < best.cluster));
  if (other.squared < best.squared || (other.squared == best.squared && wins_tie)) best = other;
}

/// Pieces of a pass over rows: long enough to be worth a thread.
Index rows_per_task(Index cols) {
  constexpr Index kNumbers = 1 << 17;
  return std::max<Index>(2, kNumbers / std::max<Index>(1, cols * kAtOnce)) * kAtOnce;
}

}  // namespace

/// The kListed nearest of those it is shown, and the least distance among the rest.
class ClusterNeighbors::Shortlist {
 public:
  void show(Index cluster, double squared) {
    if (squared >= static_cast<double>(nearest_.back().bound)) return;
    const Entry entry{static_cast<std::int32_t>(cluster), round_down(squared)};
    Index place = kListed;
    for (; place > 0 && entry.bound < nearest_[place - 1].bound; --place)
      nearest_[place] = nearest_[place - 1];
    nearest_[place] = entry;
  }
  Near near() const {
    Near near{.bound_of_rest = static_cast<double>(nearest_.back().bound)};
    std::copy_n(nearest_.begin(), kListed, near.entries.begin());
    while (near.count < kListed && near.entries[near.count].cluster >= 0) ++near.count;
    return near;
  }

 private:
  std::array<Entry, kListed + 1> nearest_ = {};
};

ClusterNeighbors::ClusterNeighbors(WardClusters& clusters, Index max_held, const Progress& progress)
    : clusters_(clusters),
      filter_(clusters.table()),
      near_(clusters.table().rows()),
      scratch_(clusters.make_scratch()),
      is_joined_(clusters.table().rows(), 0) {
  fill_lists(progress);
  if (filter_.size() <= max_held) filter_.hold_rows();
}

/// Of rows whose distances overflow lists stay empty, to be filled one by one.
void ClusterNeighbors::fill_lists(const Progress& progress) {
  const Index rows = clusters_.table().rows();
  if (!filter_.can_multiply_rows()) return;
  const Neighbors found = nearest_neighbors(clusters_.table(), kFirst + 1, progress);
  for (Index i = 0; i < rows; ++i) {
    Shortlist list;
    const Index end = (i + 1) * found.k;
    for (Index e = i * found.k; e < end; ++e) list.show(found.rows[e], found.squared_distances[e]);
    near_[i] = list.near();
    if (found.k < rows - 1) near_[i].bound_of_rest = near_[i].entries[found.k - 1].bound;
  }
}

ClusterDistance ClusterNeighbors::nearest(Index cluster, Index before) {
  std::vector<double> own = clusters_.make_scratch();
  const double* const centroid = clusters_.centroid(cluster, own);
  const ClusterDistance listed = best_of_list(cluster, before, centroid);
  is_joined_[cluster] = 0;
  if (listed.squared < near_[cluster].bound_of_rest) return listed;
  renew_lists(cluster);
  const ClusterDistance renewed = best_of_list(cluster, before, centroid);
  if (renewed.squared < near_[cluster].bound_of_rest) return renewed;
  return best_of_all(cluster, before, centroid);
}

ClusterDistance ClusterNeighbors::best_of_list(Index cluster, Index before,
                                               const double* centroid) {
  ClusterDistance best;
  const auto measure = [&](Index other) {
    return clusters_.squared_distance_from(centroid, cluster, other, scratch_);
  };
  if (before >= 0) best = {before, measure(before)};
  const std::span<Entry> listed = near_[cluster].listed();
  for (Entry& entry : listed) {
    if (static_cast<double>(entry.bound) > best.squared) break;
    const Index other = clusters_.find(entry.cluster);
    entry.cluster = static_cast<std::int32_t>(other);
    const double squared = other == best.cluster ? best.squared : measure(other);
    entry.bound = round_down(squared);
    take_nearer(best, {other, squared}, before);
  }
  std::ranges::sort(listed, {}, &Entry::bound);
  return best;
}

/// The cluster and others whose turn is near: a pass over the table for several costs little more
/// than for one. The nearest of every cluster is asked for at least once before it is merged.
std::vector<Index> ClusterNeighbors::due_with(Index cluster) {
  std::vector<Index> due{cluster};
  while (std::ssize(due) < kDue && !merged_.empty()) {
    const Index other = merged_.back();
    merged_.pop_back();
    if (is_joined_[other] == 0) continue;
    is_joined_[other] = 0;
    due.push_back(other);
  }
  return due;
}

/// Distances from the centroids of `due` of what tells where the other clusters are: their
/// centroids if the filter holds them, else the rows of those without a stored centroid.
void ClusterNeighbors::measure_rows(const std::vector<Index>& due) {
  rows_.clear();
  starts_.clear();
  for (const Index cluster : clusters_.active()) {
    starts_.push_back(std::ssize(rows_));
    if (filter_.is_held())
      rows_.push_back(cluster);
    else if (!clusters_.is_stored(cluster))
      clusters_.for_each_row(cluster, [&](Index row) { rows_.push_back(row); });
  }
  const Index count = std::ssize(rows_);
  row_bounds_.resize(due.size() * count);
  Buffer<float> room_for_points = filter_.make_room();
  std::vector<const float*> points;
  for (const Index cluster : due)
    points.push_back(
        filter_.point(clusters_.centroid(cluster, scratch_), room_for_points, std::ssize(points)));
  parallel_for_with(
      count, rows_per_task(clusters_.table().cols()), [&] { return filter_.make_room(); },
      [&](Buffer<float>& room, Index begin, Index end) {
        for (Index from = begin; from < end; from += kAtOnce) {
          DistanceFilter::Pointers others;
          for (Index l = 0; l < kAtOnce; ++l)
            others[l] = filter_.row(rows_[std::min(from + l, end - 1)], room, l);
          for (Index p = 0; p < std::ssize(points); ++p) {
            const auto bounds = filter_.measure(points[p], others);
            std::copy_n(bounds.begin(), std::min(kAtOnce, end - from),
                        row_bounds_.begin() + p * count + from);
          }
        }
      });
}

/// Lower bounds of the distances of all clusters from those due. Of clusters without a centroid
/// they follow from the rows: |q - c|^2 = (sum_i |q - x_i|^2 - inertia) / size.
void ClusterNeighbors::measure_clusters(const std::vector<Index>& due) {
  const std::vector<Index>& active = clusters_.active();
  distances_.resize(active.size() * kDue);
  std::vector<std::vector<double>> own(due.size(), clusters_.make_scratch());
  std::vector<const double*> centroids;
  for (Index p = 0; p < std::ssize(due); ++p)
    centroids.push_back(clusters_.centroid(due[p], own[p]));
  const auto measure = [&](std::vector<double>& scratch, Index p, Index s) {
    const Index to = active[s];
    const float* const of_rows = row_bounds_.data() + p * std::ssize(rows_) + starts_[s];
    if (filter_.is_held()) return clusters_.scale(due[p], to) * static_cast<double>(*of_rows);
    if (clusters_.is_stored(to))
      return clusters_.squared_distance_from(centroids[p], due[p], to, scratch);
    double sum = 0.0;
    for (Index row = 0; row < clusters_.size(to); ++row) sum += static_cast<double>(of_rows[row]);
    const double squared = (sum - clusters_.inertia(to)) / static_cast<double>(clusters_.size(to));
    return clusters_.scale(due[p], to) * std::max(squared, 0.0);
  };
  parallel_for_with(
      std::ssize(active), rows_per_task(clusters_.table().cols()),
      [&] { return clusters_.make_scratch(); },
      [&](std::vector<double>& scratch, Index begin, Index end) {
        for (Index s = begin; s < end; ++s)
          for (Index p = 0; p < std::ssize(due); ++p)
            distances_[s * kDue + p] = measure(scratch, p, s);
      });
}

void ClusterNeighbors::renew_lists(Index cluster) {
  const std::vector<Index> due = due_with(cluster);
  measure_rows(due);
  measure_clusters(due);
  const std::vector<Index>& active = clusters_.active();
  for (Index p = 0; p < std::ssize(due); ++p) {
    Shortlist list;
    for (Index s = 0; s < std::ssize(active); ++s)
      if (active[s] != due[p]) list.show(active[s], distances_[s * kDue + p]);
    near_[due[p]] = list.near();
  }
}

ClusterDistance ClusterNeighbors::best_of_all(Index cluster, Index before, const double* centroid) {
  const std::vector<Index>& active = clusters_.active();
  distances_.resize(active.size());
  parallel_for_with(
      std::ssize(active), rows_per_task(clusters_.table().cols()),
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
std::vector<ClusterNeighbors::Entry> ClusterNeighbors::entries_by_cluster(Near& near, Index except,
                                                                          Index and_except) {
  std::vector<Entry> entries;
  for (const Entry& entry : near.listed()) {
    const Index other = clusters_.find(entry.cluster);
    if (other != except && other != and_except)
      entries.push_back({static_cast<std::int32_t>(other), entry.bound});
  }
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.cluster, e.bound); });
  const auto same_cluster = [](const Entry& a, const Entry& b) { return a.cluster == b.cluster; };
  entries.erase(std::unique(entries.begin(), entries.end(), same_cluster), entries.end());
  return entries;
}

/// With sizes a, b, c the squared distance of the merged cluster from a third is
///   ((a + c) d_AC + (b + c) d_BC - c d_AB) / (a + b + c),
/// which grows with d_AC and d_BC. It is monotone in c, so that for clusters of any size its least
/// value is that at c = 1 or in the limit; and it is no less than d_AB.
ClusterNeighbors::Near ClusterNeighbors::joined(Index a, Index b, double squared) {
  const auto rows_a = static_cast<double>(clusters_.size(a));
  const auto rows_b = static_cast<double>(clusters_.size(b));
  const double rest_a = near_[a].bound_of_rest;
  const double rest_b = near_[b].bound_of_rest;
  const auto bound = [&](double d_a, double d_b, double c) {
    return std::max(
        squared, ((rows_a + c) * d_a + (rows_b + c) * d_b - c * squared) / (rows_a + rows_b + c));
  };
  const std::vector<Entry> of_a = entries_by_cluster(near_[a], a, b);
  const std::vector<Entry> of_b = entries_by_cluster(near_[b], a, b);
  Shortlist list;
  const auto show = [&](Index other, double d_a, double d_b) {
    list.show(other, bound(d_a, d_b, static_cast<double>(clusters_.size(other))));
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
  Near near = list.near();
  const double rest =
      std::min(bound(rest_a, rest_b, 1.0), std::max(squared, rest_a + rest_b - squared));
  near.bound_of_rest = std::min(near.bound_of_rest, static_cast<double>(round_down(rest)));
  return near;
}

Index ClusterNeighbors::merge(Index a, Index b, double squared) {
  const Near near = joined(a, b, squared);
  near_[a] = near_[b] = {};
  is_joined_[a] = is_joined_[b] = 0;
  const Index merged = clusters_.merge(a, b, squared);
  if (filter_.is_held()) filter_.replace(merged, clusters_.centroid(merged, scratch_));
  near_[merged] = near;
  is_joined_[merged] = 1;
  merged_.push_back(merged);
  return merged;
}

}  // namespace tamis
