#include "clustering/kmeans/kmeans_plan.hpp"

#include <fmt/format.h>

#include <numeric>

#include "clustering/kmeans/lloyd.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Index count_of(const KmeansPlan& plan, const Knowledge& known, Index n_rows,
               std::vector<std::string>& warnings) {
  // Classes that do not count may be more than the clusters that are asked for.
  if (plan.classes != ClassUse::none || !plan.n_clusters)
    return cluster_count(plan.info.name, known, n_rows, plan.n_clusters, warnings);
  check_cluster_rows(plan.info.name, *plan.n_clusters, n_rows);
  return *plan.n_clusters;
}

void check_free_rows(const KmeansPlan& plan, const KmeansSetting& setting, Index n_rows) {
  Index n_free = n_rows;
  for (Index c = 0; c < setting.n_seeds(plan); ++c) n_free -= std::ssize(setting.links.groups()[c]);
  const Index n_seeds = setting.n_seeds(plan);
  if (setting.n_clusters - n_seeds > n_free)
    throw DataError(
        fmt::format("{}: the {} clusters beyond the {} labeled classes begin at as many rows "
                    "without a label, and there are {}",
                    plan.info.name, setting.n_clusters - n_seeds, n_seeds, n_free));
}

std::vector<double> seeds_of(const MatrixView& x, const Links& links, Index n_seeds) {
  std::vector<double> means;
  for (Index c = 0; c < n_seeds; ++c) {
    const std::vector<double> mean = mean_of_rows(x, links.groups()[c]);
    means.insert(means.end(), mean.begin(), mean.end());
  }
  return means;
}

/// The rows of a class stay in its cluster; other groups are free.
double place_bound_rows(const MatrixView& x, const Links& links, Clustering& clustering) {
  std::vector<Index> group_clusters(links.n_groups(), kNoCluster);
  std::iota(group_clusters.begin(), group_clusters.begin() + links.n_classes(), Index{0});
  return place_with_groups(x, links, group_clusters,
                           nearest_centers(x, all_indices(x.rows()), clustering.centroids),
                           clustering);
}

}  // namespace

KmeansSetting settle(const KmeansPlan& plan, const Knowledge& known, Index n_rows, Index n_cols,
                     const ClusterGiven& given) {
  std::vector<std::string> warnings;
  const Index n_clusters = count_of(plan, known, n_rows, warnings);
  check_given(plan.info, given, n_clusters, n_rows, n_cols);
  if (plan.info.hard_pairs_only) refuse_pair_weights(plan.info.name, known);
  KmeansSetting setting{n_clusters, Links(known, n_rows), std::move(warnings)};
  if (plan.classes != ClassUse::none && setting.links.n_classes() == 0)
    setting.warnings.push_back(fmt::format("{} got no labels: it is kmeans", plan.info.name));
  if (!given.start) check_free_rows(plan, setting, n_rows);
  return setting;
}

Clustering cluster_by_means(const Problem& problem, const KmeansPlan& plan,
                            const ClusterGiven& given, const Run& run) {
  const MatrixView& x = problem.matrix;
  KmeansSetting setting = settle(plan, problem.known, problem.rows(), problem.cols(), given);
  const Links& links = setting.links;
  const ClusterStart known =
      given.start.value_or(ClusterStart{.centroids = seeds_of(x, links, setting.n_seeds(plan))});
  std::vector<Index> free_rows = all_indices(problem.rows());
  std::erase_if(free_rows, [&](Index row) { return !setting.is_free(plan, row); });

  const LloydSteps steps{.place_rows =
                             [&](Clustering& clustering) {
                               return plan.classes == ClassUse::binding
                                          ? place_bound_rows(x, links, clustering)
                                          : place_at_nearest(x, clustering);
                             },
                         .update = [&](Clustering& clustering) { move_to_means(x, clustering); }};
  const auto restart = [&](Index r) {
    ClusterStart start = known;
    RandomStream random(run.seed, static_cast<std::uint64_t>(r));
    draw_centroids(x, free_rows, plan.start, setting.n_clusters, random, start.centroids);
    return lloyd(problem, links, r, std::move(start), plan.max_iter, steps, run.trace);
  };
  const bool draws = std::ssize(known.centroids) < setting.n_clusters * problem.cols();
  Clustering best = *best_run(plan.info, draws ? plan.restarts : 1, restart, run.progress);
  best.warnings = std::move(setting.warnings);
  return best;
}

}  // namespace tamis
