#include "clustering/kmeans/mpc_kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/kmeans/cluster_start.hpp"
#include "clustering/kmeans/lloyd.hpp"
#include "clustering/kmeans/mpc_steps.hpp"
#include "clustering/kmeans/neighborhoods.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// One weight for each cluster and column, whatever was given.
std::vector<double> first_weights(const ClusterGiven& given, Index n_clusters, Index n_cols,
                                  const MpcSteps& mpc) {
  std::vector<double> weights(n_clusters * n_cols, 1.0);
  if (given.start && !given.start->weights.empty())
    for (Index e = 0; e < std::ssize(weights); ++e)
      weights[e] = given.start->weights[e % std::ssize(given.start->weights)];
  if (std::ranges::find(weights, 0.0) != weights.end())
    throw DataError(
        "mpc_kmeans: a weight of the start is 0, but its logarithm counts; give positive weights");
  mpc.limit(weights);
  return weights;
}

void check_other_rows(Index n_clusters, Index n_known, Index n_others) {
  if (n_clusters - n_known > n_others)
    throw DataError(fmt::format(
        "mpc_kmeans: the {} clusters beyond the {} groups of must-linked rows begin at as many "
        "rows without a must-link, and there are {}",
        n_clusters - n_known, n_known, n_others));
}

}  // namespace

Clustering mpc_kmeans(const Problem& problem, const MpcKmeansOptions& options,
                      const ClusterGiven& given, const Run& run) {
  check_ranges(options.info.name, options);
  std::vector<std::string> warnings;
  const Index n_clusters = cluster_count(options.info.name, problem, options.n_clusters, warnings);
  check_given(options.info, given, n_clusters, problem);
  const Links links(problem.known, problem.rows());
  const MpcSteps mpc(problem, links, options, order_of(given, problem.rows()));
  Neighborhoods known = given.start ? Neighborhoods{.centroids = given.start->centroids}
                                    : neighborhoods(problem, links, n_clusters);
  const Index n_known = std::ssize(known.centroids) / problem.cols();
  check_other_rows(n_clusters, n_known, std::ssize(known.other_rows));

  const ClusterStart first{.centroids = std::move(known.centroids),
                           .weights = first_weights(given, n_clusters, problem.cols(), mpc)};
  const LloydSteps steps{
      .place_rows = [&](Clustering& clustering) { return mpc.place_rows(clustering); },
      .update = [&](Clustering& clustering) { mpc.update(clustering); }};
  const auto restart = [&](Index r) {
    ClusterStart start = first;
    RandomStream random(run.seed, static_cast<std::uint64_t>(r));
    draw_centroids(problem.matrix, known.other_rows, KmeansStart::plus_plus, n_clusters, random,
                   start.centroids);
    return lloyd(problem, links, r, std::move(start), options.max_iter, steps, run.trace);
  };
  Clustering best =
      *best_run(options.info, n_known < n_clusters ? options.restarts : 1, restart, run.progress);
  best.warnings = std::move(warnings);
  return best;
}

}  // namespace tamis
