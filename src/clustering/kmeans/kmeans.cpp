#include "clustering/kmeans/kmeans.hpp"

#include "clustering/kmeans/lloyd.hpp"

namespace tamis {
namespace {

/// Classes do not bind here: fewer clusters than classes are fine if they are asked for.
Index count_of(const Problem& problem, const KmeansOptions& options,
               std::vector<std::string>& warnings) {
  if (!options.n_clusters)
    return cluster_count(options.info.name, problem, options.n_clusters, warnings);
  check_cluster_rows(options.info.name, *options.n_clusters, problem.rows());
  return *options.n_clusters;
}

}  // namespace

Clustering kmeans(const Problem& problem, const KmeansOptions& options, const ClusterGiven& given,
                  const Run& run) {
  check_ranges(options.info.name, options);
  std::vector<std::string> warnings;
  const Index n_clusters = count_of(problem, options, warnings);
  check_given(options.info, given, n_clusters, problem);
  const Links links(problem.known, problem.rows());
  const MatrixView& x = problem.matrix;
  const LloydSteps steps{
      .place_rows = [&](Clustering& clustering) { return place_at_nearest(x, clustering); },
      .update = [&](Clustering& clustering) { move_to_means(x, clustering); }};
  const auto restart = [&](Index r) {
    ClusterStart start = given.start.value_or(ClusterStart{});
    RandomStream random(run.seed, static_cast<std::uint64_t>(r));
    draw_centroids(x, all_indices(x.rows()), options.start, n_clusters, random, start.centroids);
    return lloyd(problem, links, r, std::move(start), options.max_iter, steps, run.trace);
  };
  Clustering best =
      *best_run(options.info, given.start ? 1 : options.restarts, restart, run.progress);
  best.warnings = std::move(warnings);
  return best;
}

}  // namespace tamis
