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

/// What the metric would be if all rows were one cluster: columns of any scale count alike.
std::vector<double> table_weights(const MatrixView& x) {
  const ColumnMoments all = moments(x);
  std::vector<double> weights;
  for (const double squares : all.squares)
    weights.push_back(squares > 0.0 ? all.total_weight / squares : 1.0);
  return weights;
}

/// One weight for each cluster and column, whatever was given.
std::vector<double> first_weights(std::vector<double> given, Index n_clusters, Index n_cols,
                                  const MpcSteps& mpc) {
  if (given.empty()) given.assign(n_cols, 1.0);
  std::vector<double> weights(n_clusters * n_cols);
  for (Index e = 0; e < std::ssize(weights); ++e) weights[e] = given[e % std::ssize(given)];
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

/// The given start; else the means of groups and, to fewer of them than clusters, rows far away.
std::vector<double> first_centroids(const Problem& problem, const Links& links,
                                    const ClusterGiven& given, Index n_clusters, Index restart,
                                    RandomStream& random) {
  if (given.start) return given.start->centroids;
  Neighborhoods known = neighborhoods(problem, links, n_clusters, restart == 0 ? nullptr : &random);
  check_other_rows(n_clusters, std::ssize(known.centroids) / problem.cols(),
                   std::ssize(known.other_rows));
  draw_centroids(problem.matrix, known.other_rows, KmeansStart::plus_plus, n_clusters, random,
                 known.centroids);
  return known.centroids;
}

Clustering run_once(const Problem& problem, const Links& links, const MpcKmeansOptions& options,
                    const ClusterGiven& given, Index n_clusters, Index restart, const Run& run) {
  RandomStream random(run.seed, static_cast<std::uint64_t>(restart));
  ClusterStart start{.centroids =
                         first_centroids(problem, links, given, n_clusters, restart, random)};
  std::vector<Index> order = order_of(given, problem.rows());
  if (restart > 0 && given.order.empty()) {
    random.shuffle(order);
    record_order(run.trace, restart, 0, order);
  }
  const MpcSteps mpc(problem, links, options, order);
  start.weights = given.start    ? given.start->weights
                  : restart == 0 ? std::vector<double>()
                                 : table_weights(problem.matrix);
  start.weights = first_weights(std::move(start.weights), n_clusters, problem.cols(), mpc);
  const LloydSteps steps{
      .place_rows = [&](Clustering& clustering) { return mpc.place_rows(clustering); },
      .update = [&](Clustering& clustering) { mpc.update(clustering); }};
  return lloyd(problem, links, restart, std::move(start), options.max_iter, steps, run.trace);
}

}  // namespace

Clustering mpc_kmeans(const Problem& problem, const MpcKmeansOptions& options,
                      const ClusterGiven& given, const Run& run) {
  check_ranges(options.info.name, options);
  std::vector<std::string> warnings;
  const Index n_clusters =
      cluster_count(options.info.name, problem.known, problem.rows(), options.n_clusters, warnings);
  check_given(options.info, given, n_clusters, problem.rows(), problem.cols());
  const Links links(problem.known, problem.rows());
  const auto restart = [&](Index r) {
    return run_once(problem, links, options, given, n_clusters, r, run);
  };
  Clustering best =
      *best_run(options.info, given.start ? 1 : options.restarts, restart, run.progress);
  best.warnings = std::move(warnings);
  return best;
}

}  // namespace tamis
