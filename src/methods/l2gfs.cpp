#include "tamis/methods/l2gfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>

#include "clustering/weighted/hard_run.hpp"
#include "clustering/weighted/weight_runs.hpp"
#include "methods/preconditions.hpp"

namespace tamis {
namespace {

struct L2gfsResult {
  Clustering clustering = {};
  std::vector<double> weights = {};
  bool is_circle = false;

  bool has_settled() const { return clustering.converged || is_circle; }
};

struct L2gfs {
  ClusterSetting setting;
  WeightRuns<L2gfsResult> runs = {};
  std::vector<std::string> warnings = {};
};

/// Stands for an assignment: that two different ones share it is out of the question.
using Fingerprint = std::array<std::uint64_t, 2>;

Fingerprint fingerprint(std::span<const Index> clusters) {
  Fingerprint print{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};
  for (const Index cluster : clusters) {
    const auto next = static_cast<std::uint64_t>(cluster) + 1;
    print[0] = (print[0] ^ next) * 0xff51afd7ed558ccd;
    print[0] ^= print[0] >> 32;
    print[1] = (print[1] + next) * 0xc4ceb9fe1a85ec53;
    print[1] ^= print[1] >> 29;
  }
  return print;
}

void take(const HardRun& run, double objective, Clustering& clustering) {
  clustering.objective = objective;
  clustering.centroids = run.centroids();
  clustering.weights = run.weights();
  clustering.clusters = run.clusters();
}

/// The weight of each feature: the mean of those in the clusters. If it has none in any, it takes a
/// single value in each cluster: infinite if these values differ, NaN if some are equal.
std::vector<double> global_weights(const Clustering& clustering, Index n_clusters) {
  const Index cols = std::ssize(clustering.weights) / n_clusters;
  std::vector<double> weights(cols, 0.0);
  for (Index s = 0; s < n_clusters * cols; ++s)
    weights[s % cols] += clustering.weights[s] / static_cast<double>(n_clusters);
  for (Index r = 0; r < cols; ++r) {
    if (weights[r] > 0.0) continue;
    std::set<double> values;
    for (Index q = 0; q < n_clusters; ++q) values.insert(clustering.centroids[q * cols + r]);
    weights[r] = std::ssize(values) == n_clusters ? HUGE_VAL : kUndefined;
  }
  return weights;
}

L2gfsResult run_once(const ClusterSetting& setting, const L2gfsOptions& options,
                     const ClusterStart& start, Index number) {
  HardRun run(setting, start);
  L2gfsResult result{.clustering = {.objective = HUGE_VAL, .run = number}};
  Clustering& clustering = result.clustering;
  std::set<Fingerprint> seen;
  while (!clustering.converged && !result.is_circle &&
         std::ssize(clustering.iterations) < options.max_iter) {
    const ClusterIteration step = run.step();
    clustering.iterations.push_back(step);
    record_iteration(setting.run.trace, number, std::ssize(clustering.iterations) - 1, step);
    clustering.converged = step.changed == 0;
    result.is_circle = !seen.insert(fingerprint(run.clusters())).second && !clustering.converged;
    if (clustering.converged || step.objective < clustering.objective)
      take(run, step.objective, clustering);
  }
  result.weights = global_weights(clustering, setting.n_clusters);
  return result;
}

L2gfs run_l2gfs(const Problem& problem, const L2gfsOptions& options, const ClusterGiven& given,
                const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  check_beta(options.info.name, options.beta);
  refuse_pair_weights(options.info.name, problem.known);
  std::vector<std::string> warnings;
  const Index n_clusters =
      cluster_count(options.info.name, problem.known, problem.rows(), options.n_clusters, warnings);
  check_given(options.clusterer, given, n_clusters, problem.rows(), problem.cols());
  L2gfs all{.setting = {problem, n_clusters, options.beta, given.order, run}};
  Index circles = 0;
  all.runs = run_all<L2gfsResult>(options.info, all.setting, given, /*has_local_weights=*/true,
                                  options.restarts, [&](const ClusterStart& start, Index number) {
                                    L2gfsResult result =
                                        run_once(all.setting, options, start, number);
                                    circles += result.is_circle ? 1 : 0;
                                    return result;
                                  });
  if (circles > 0)
    warnings.push_back(fmt::format(
        "{}: {} of {} runs came back to an earlier assignment; of each the best one visited counts",
        options.info.name, circles, all.runs.outcomes.size()));
  all.warnings = std::move(warnings);
  return all;
}

}  // namespace

Ranking l2gfs(const Problem& problem, const L2gfsOptions& options, const Run& run) {
  rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem.known, diagnostics);
  const L2gfs all = run_l2gfs(problem, options, {}, run);
  std::ranges::copy(all.warnings, std::back_inserter(diagnostics.warnings));
  const Clustering& best = all.runs.best.clustering;
  const Violations broken = violations(all.setting.links, best.clusters);
  diagnostics.figures = {{"clusters", static_cast<double>(all.setting.n_clusters)},
                         {"best_run", static_cast<double>(best.run)},
                         {"objective", best.objective},
                         {"must_link_violations", static_cast<double>(broken.must_link)},
                         {"cannot_link_violations", static_cast<double>(broken.cannot_link)}};
  describe_runs(options.info, all.runs.outcomes, diagnostics);
  Ranking ranking = rank_by_weights(options.info, all.setting, options.rank_by,
                                    mean_weights(all.runs.weights), std::move(diagnostics));
  ranking.iterations = best.iterations;
  return ranking;
}

Clustering l2gfs_clustering(const Problem& problem, const L2gfsOptions& options,
                            const ClusterGiven& given, const Run& run) {
  L2gfs all = run_l2gfs(problem, options, given, run);
  Clustering clustering = std::move(all.runs.best.clustering);
  clustering.warnings = std::move(all.warnings);
  return clustering;
}

}  // namespace tamis
