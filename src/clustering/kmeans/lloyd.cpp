#include "clustering/kmeans/lloyd.hpp"

#include <numeric>
#include <utility>

#include "clustering/kmeans/centroid_update.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

double settle(NearestCenters nearest, Clustering& clustering) {
  clustering.clusters = std::move(nearest.centers);
  return std::accumulate(nearest.squared_distances.begin(), nearest.squared_distances.end(), 0.0);
}

}  // namespace

Index count_changes(std::span<const Index> before, std::span<const Index> after) {
  return std::transform_reduce(before.begin(), before.end(), after.begin(), Index{0}, std::plus{},
                               [](Index a, Index b) { return a != b ? Index{1} : Index{0}; });
}

Clustering lloyd(const Problem& problem, const Links& links, Index restart, ClusterStart start,
                 Index max_iter, const LloydSteps& steps, const Trace& trace) {
  record_start(trace, restart, start, problem.cols());
  Clustering result{.centroids = std::move(start.centroids),
                    .clusters = std::vector<Index>(problem.rows(), kNoCluster),
                    .weights = std::move(start.weights),
                    .run = restart};
  for (Index updates = 0; !result.converged && updates <= max_iter; ++updates) {
    if (updates > 0) steps.update(result);
    const std::vector<Index> before = result.clusters;
    result.objective = steps.place_rows(result);
    const Violations broken = violations(links, result.clusters);
    result.iterations.push_back({.objective = result.objective,
                                 .changed = count_changes(before, result.clusters),
                                 .must_link_violations = broken.must_link,
                                 .cannot_link_violations = broken.cannot_link});
    record_iteration(trace, restart, updates, result.iterations.back());
    result.converged = result.iterations.back().changed == 0;
  }
  return result;
}

std::optional<Clustering> best_run(const ClustererInfo& clusterer, Index n_runs,
                                   const std::function<std::optional<Clustering>(Index)>& restart,
                                   const Progress& progress) {
  Progress::Stage stage(progress, clusterer.name, n_runs);
  std::optional<Clustering> best;
  for (Index r = 0; r < n_runs; ++r) {
    std::optional<Clustering> result = restart(r);
    if (result && (!best || result->objective < best->objective)) best = std::move(result);
    stage.advance();
  }
  return best;
}

double place_at_nearest(const MatrixView& x, Clustering& clustering) {
  return settle(nearest_centers(x, all_indices(x.rows()), clustering.centroids), clustering);
}

double place_with_groups(const MatrixView& x, const Links& links,
                         std::span<const Index> group_clusters, NearestCenters nearest,
                         Clustering& clustering) {
  constexpr Index kRowsAtOnce = 256;
  const std::span<const double> centroids = clustering.centroids;
  parallel_for(x.rows(), kRowsAtOnce, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index group = links.group_of(row);
      const Index cluster = group == Links::kNoGroup ? kNoCluster : group_clusters[group];
      if (cluster == kNoCluster || cluster == nearest.centers[row]) continue;
      nearest.centers[row] = cluster;
      nearest.squared_distances[row] =
          squared_distance(x, row, centroids.subspan(cluster * x.cols(), x.cols()));
    }
  });
  return settle(std::move(nearest), clustering);
}

void move_to_means(const MatrixView& x, Clustering& clustering) {
  const ClusterRows members(clustering.clusters, std::ssize(clustering.centroids) / x.cols());
  move_centroids(x, members, clustering.centroids);
}

std::vector<Index> order_of(const ClusterGiven& given, Index n_rows) {
  return given.order.empty() ? all_indices(n_rows) : given.order;
}

}  // namespace tamis
