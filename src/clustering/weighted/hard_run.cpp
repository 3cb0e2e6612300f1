#include "clustering/weighted/hard_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>
#include <type_traits>

#include "clustering/kmeans/centroid_update.hpp"
#include "clustering/links.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "clustering/weighted/link_costs.hpp"

namespace tamis {
namespace {

/// Rows for which another cluster is nearly as near are measured again in double.
constexpr double kNearTie = 1.0001;

/// Rows whose sums are taken cluster by cluster: so few that they stay in the caches.
constexpr Index kRowsAtOnce = 128;

/// Sums over the rows of each cluster of deviations from its first row. A column that is constant
/// in a cluster has sums of exactly 0; and as the first row is one of the cluster, the spread about
/// the mean loses at most a factor of the number of rows to it.
struct MemberSums {
  MemberSums() = default;
  MemberSums(Index n_clusters, Index cols)
      : counts(n_clusters, 0.0), first(n_clusters * cols, 0.0), second(n_clusters * cols, 0.0) {}

  void add(const MemberSums& more) {
    std::ranges::transform(counts, more.counts, counts.begin(), std::plus{});
    std::ranges::transform(first, more.first, first.begin(), std::plus{});
    std::ranges::transform(second, more.second, second.begin(), std::plus{});
  }

  std::vector<double> counts = {};
  std::vector<double> first = {};
  std::vector<double> second = {};
};

/// The first row of each cluster; kNoCluster if it is empty.
std::vector<Index> first_rows(std::span<const Index> clusters, Index n_clusters) {
  std::vector<Index> rows(n_clusters, kNoCluster);
  for (Index i = std::ssize(clusters) - 1; i >= 0; --i) rows[clusters[i]] = i;
  return rows;
}

/// Adds rows of one cluster, at most kRowsAtOnce, by their numbers from `first` on.
class MemberAdder {
 public:
  MemberAdder(const ClusterSetting& setting, std::span<const double> references, MemberSums& sums)
      : setting_(setting), references_(references), sums_(sums) {}

  template <class T>
  void add(const DenseView<T>& x, Index first, std::span<const Index> rows, Index cluster) {
    std::array<const T*, kRowsAtOnce> places;
    for (std::size_t s = 0; s < rows.size(); ++s) places[s] = x.row(first + rows[s]);
    add(std::span<const T* const>(places).first(rows.size()), cluster);
  }
  template <class T>
  void add(const CsrView<T>& x, Index first, std::span<const Index> rows, Index cluster) {
    std::vector<T> dense(x.cols());
    const T* const place = dense.data();
    for (const Index row : rows) {
      std::ranges::fill(dense, T{0});
      for (Index e = 0; e < std::ssize(x.row_columns(first + row)); ++e)
        dense[x.row_columns(first + row)[e]] = x.row_values(first + row)[e];
      add(std::span(&place, 1), cluster);
    }
  }

 private:
  template <class T>
  void add(std::span<const T* const> rows, Index cluster) {
    const Index cols = setting_.problem.cols();
    sums_.counts[cluster] += static_cast<double>(rows.size());
    add_row_deviations(rows, &references_[cluster * cols], setting_.units.scale.data(), cols,
                       &sums_.first[cluster * cols], &sums_.second[cluster * cols]);
  }

  const ClusterSetting& setting_;
  std::span<const double> references_;
  MemberSums& sums_;
};

/// Of the rows begin .. end - 1. While a few are added, memory brings as many of the next.
template <class View>
MemberSums member_sums(const ClusterSetting& setting, const View& x,
                       std::span<const Index> clusters, std::span<const double> references,
                       Index begin, Index end) {
  MemberSums sums(setting.n_clusters, x.cols());
  MemberAdder adder(setting, references, sums);
  for (Index first = begin; first < end; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, end - first);
    const ClusterRows members(clusters.subspan(first, count), setting.n_clusters);
    Index ahead = first + count;
    for (Index q = 0; q < setting.n_clusters; ++q) {
      if (members[q].empty()) continue;
      const Index until = std::min(end, ahead + std::ssize(members[q]));
      for (; ahead < until; ++ahead) prefetch_row(x, ahead);
      adder.add(x, first, members[q], q);
    }
  }
  return sums;
}

MemberSums member_sums(const ClusterSetting& setting, std::span<const Index> clusters,
                       std::span<const double> references) {
  const Index n_rows = setting.problem.rows();
  const RowTasks tasks(n_rows, setting.n_clusters);
  std::vector<MemberSums> parts(tasks.count());
  setting.problem.matrix.visit([&](const auto& x) {
    parallel_for(n_rows, tasks.grain(), [&](Index begin, Index end) {
      parts[begin / tasks.grain()] = member_sums(setting, x, clusters, references, begin, end);
    });
  });
  MemberSums total(setting.n_clusters, setting.problem.cols());
  for (const MemberSums& part : parts) total.add(part);
  return total;
}

}  // namespace

HardRun::HardRun(const ClusterSetting& setting, ClusterStart start)
    : setting_(setting), now_(std::move(start)), clusters_(setting.problem.rows(), kNoCluster) {}

ClusterIteration HardRun::step() {
  std::vector<Index> clusters = setting_.problem.matrix.is_single()
                                    ? nearest_of_free_rows<float>()
                                    : nearest_of_free_rows<double>();
  place_linked_rows(clusters);
  Index changed = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) changed += clusters[i] == clusters_[i] ? 0 : 1;
  clusters_ = std::move(clusters);
  return moved(changed, moments());
}

std::vector<Index> HardRun::linked_clusters() const {
  std::vector<Index> clusters(setting_.problem.rows(), kNoCluster);
  place_linked_rows(clusters);
  return clusters;
}

ClusterIteration HardRun::step(std::vector<Index> linked, Index changed,
                               const ClusterMoments& moments) {
  clusters_ = std::move(linked);
  return moved(changed, moments);
}

ClusterIteration HardRun::moved(Index changed, const ClusterMoments& moments) {
  const Violations broken = violations(setting_.links, clusters_);
  return {.objective = update(moments),
          .changed = changed,
          .must_link_violations = broken.must_link,
          .cannot_link_violations = broken.cannot_link};
}

template <class T>
std::vector<Index> HardRun::nearest_of_free_rows() const {
  const Index n_clusters = setting_.n_clusters;
  const ScaledCenters<T> centers(setting_.units, now_.centroids, now_.weights, setting_.beta);
  const RowTasks tasks(std::ssize(setting_.free), n_clusters);
  std::vector<std::vector<Index>> near_ties(tasks.count());
  std::vector<Index> clusters(setting_.problem.rows(), kNoCluster);
  for_each_group<T>(
      setting_.problem.matrix, setting_.free, setting_.units, n_clusters,
      [&](RowGroup<T>& group, Index first, Index count) {
        group.measure(centers);
        LaneNearest lanes;
        nearest_of_lanes(group.distances(), n_clusters, kLanes<T>, lanes);
        for (Index l = 0; l < count; ++l) {
          clusters[setting_.free[first + l]] = lanes.nearest[l];
          if (std::is_same_v<T, float> && lanes.runner_up[l] <= kNearTie * lanes.distance[l])
            near_ties[first / tasks.grain()].push_back(setting_.free[first + l]);
        }
      },
      [](RowGroup<T>&, Index) {});
  for (const std::vector<Index>& rows : near_ties) measure_again(rows, clusters);
  return clusters;
}

void HardRun::measure_again(std::span<const Index> rows, std::vector<Index>& clusters) const {
  if (rows.empty()) return;
  const ScaledCenters<double> centers(setting_.units, now_.centroids, now_.weights, setting_.beta);
  const std::vector<double> distances = row_distances(setting_, rows, centers);
  for (Index s = 0; s < std::ssize(rows); ++s) {
    const auto of_row = distances.begin() + s * setting_.n_clusters;
    clusters[rows[s]] = std::min_element(of_row, of_row + setting_.n_clusters) - of_row;
  }
}

/// Each to the nearest cluster that breaks no link with rows placed before; if there is none, to
/// the one that breaks the fewest (eq. 4.26).
void HardRun::place_linked_rows(std::vector<Index>& clusters) const {
  const ScaledCenters<double> centers(setting_.units, now_.centroids, now_.weights, setting_.beta);
  const Index n_clusters = setting_.n_clusters;
  const std::vector<double> distances = row_distances(setting_, setting_.linked, centers);
  LinkCosts links(setting_.links, n_clusters);
  std::vector<double> costs(n_clusters);
  std::vector<double> membership(n_clusters, 0.0);
  for (Index s = 0; s < std::ssize(setting_.linked); ++s) {
    const Index row = setting_.linked[s];
    links.costs(row, costs);
    Index chosen = 0;
    for (Index q = 1; q < n_clusters; ++q)
      if (std::tie(costs[q], distances[s * n_clusters + q]) <
          std::tie(costs[chosen], distances[s * n_clusters + chosen]))
        chosen = q;
    clusters[row] = chosen;
    membership[chosen] = 1.0;
    links.place(row, membership);
    membership[chosen] = 0.0;
  }
}

ClusterMoments HardRun::moments() const {
  const Index cols = setting_.problem.cols();
  const std::vector<Index> rows = first_rows(clusters_, setting_.n_clusters);
  std::vector<double> references(setting_.n_clusters * cols, 0.0);
  for (Index q = 0; q < setting_.n_clusters; ++q)
    if (rows[q] != kNoCluster)
      copy_columns(setting_.problem.matrix, std::span(&rows[q], 1), 0, cols, &references[q * cols]);
  MemberSums sums = member_sums(setting_, clusters_, references);
  ClusterMoments found{.counts = std::move(sums.counts),
                       .means = std::move(references),
                       .log_dispersions = std::vector<double>(sums.first.size(), -HUGE_VAL)};
  for (Index s = 0; s < std::ssize(found.means); ++s) {
    const double count = found.counts[s / cols];
    if (count == 0.0) continue;
    const double scale = setting_.units.scale[s % cols];
    found.means[s] += sums.first[s] / count / scale;
    const double dispersion = sums.second[s] - sums.first[s] * sums.first[s] / count;
    if (dispersion > 0.0) found.log_dispersions[s] = std::log(dispersion) - 2.0 * std::log(scale);
  }
  return found;
}

double HardRun::update(const ClusterMoments& moments) {
  const Index cols = setting_.problem.cols();
  double objective = 0.0;
  for (Index q = 0; q < setting_.n_clusters; ++q) {
    if (moments.counts[q] == 0.0) continue;
    std::copy_n(&moments.means[q * cols], cols, &now_.centroids[q * cols]);  // eq. 4.27
    objective += update_cluster(q, std::span(moments.log_dispersions).subspan(q * cols, cols));
  }
  return objective;
}

/// Eq. 4.28.
double HardRun::update_cluster(Index cluster, std::span<const double> log_dispersions) {
  const Index cols = setting_.problem.cols();
  const std::vector<double> weights = dispersion_weights(log_dispersions, setting_.beta);
  std::ranges::copy(weights, now_.weights.begin() + cluster * cols);
  double objective = 0.0;
  for (Index r = 0; r < cols; ++r)
    if (weights[r] > 0.0 && log_dispersions[r] != -HUGE_VAL)
      objective += std::exp(log_distance_weight(weights[r], setting_.beta) + log_dispersions[r]);
  return objective;
}

}  // namespace tamis
