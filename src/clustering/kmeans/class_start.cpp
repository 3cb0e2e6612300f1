#include "clustering/kmeans/class_start.hpp"

#include <fmt/format.h>

#include "clustering/kmeans/cluster_start.hpp"
#include "clustering/kmeans/lloyd.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<double> class_means(const MatrixView& x, const Links& links) {
  std::vector<double> means;
  for (Index c = 0; c < links.n_classes(); ++c) {
    const std::vector<double> mean = mean_of_rows(x, links.groups()[c]);
    means.insert(means.end(), mean.begin(), mean.end());
  }
  return means;
}

std::vector<Index> rows_without_class(const Problem& problem, const Links& links) {
  std::vector<Index> rows;
  for (Index row = 0; row < problem.rows(); ++row)
    if (!links.has_class(row)) rows.push_back(row);
  return rows;
}

void check_free_rows(const SeededPlan& plan, Index n_clusters, Index n_classes, Index n_free) {
  if (n_clusters - n_classes > n_free)
    throw DataError(
        fmt::format("{}: the {} clusters beyond the {} labeled classes begin at as many rows "
                    "without a label, and there are {}",
                    plan.info.name, n_clusters - n_classes, n_classes, n_free));
}

}  // namespace

Clustering cluster_from_classes(const Problem& problem, const SeededPlan& plan,
                                const ClusterGiven& given, const Run& run) {
  std::vector<std::string> warnings;
  const Index n_clusters = cluster_count(plan.info.name, problem, plan.n_clusters, warnings);
  check_given(plan.info, given, n_clusters, problem);
  refuse_pair_weights(plan.info.name, problem.known);
  const Links links(problem.known, problem.rows());
  if (links.n_classes() == 0)
    warnings.push_back(fmt::format("{} got no labels: it is kmeans", plan.info.name));
  const std::vector<Index> free_rows = rows_without_class(problem, links);
  if (!given.start) check_free_rows(plan, n_clusters, links.n_classes(), std::ssize(free_rows));
  const ClusterStart known =
      given.start.value_or(ClusterStart{.centroids = class_means(problem.matrix, links)});

  const LloydSteps steps{
      .place_rows = [&](Clustering& clustering) { return plan.place_rows(links, clustering); },
      .update = [&](Clustering& clustering) { move_to_means(problem.matrix, clustering); }};
  const auto restart = [&](Index r) {
    ClusterStart start = known;
    RandomStream random(run.seed, static_cast<std::uint64_t>(r));
    draw_centroids(problem.matrix, free_rows, KmeansStart::plus_plus, n_clusters, random,
                   start.centroids);
    return lloyd(problem, links, r, std::move(start), plan.max_iter, steps, run.trace);
  };
  const bool draws = std::ssize(known.centroids) < n_clusters * problem.cols();
  Clustering best = *best_run(plan.info, draws ? plan.restarts : 1, restart, run.progress);
  best.warnings = std::move(warnings);
  return best;
}

}  // namespace tamis
