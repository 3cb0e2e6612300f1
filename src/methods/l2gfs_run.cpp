#include "methods/l2gfs_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

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

}  // namespace

WeightedPlan plan_of(const L2gfsOptions& options, const Knowledge& known, Index n_rows,
                     Index n_cols, const ClusterGiven& given) {
  check_ranges(options.info.name, options);
  WeightedPlan plan{.method = options.info,
                    .clusterer = options.clusterer,
                    .beta = options.beta,
                    .restarts = options.restarts};
  settle(plan, known, n_rows, n_cols, options.n_clusters, given);
  return plan;
}

L2gfsRun::L2gfsRun(const ClusterSetting& setting, const L2gfsOptions& options, ClusterStart start,
                   Index number)
    : n_clusters_(setting.n_clusters),
      max_iter_(options.max_iter),
      run_(setting, std::move(start)),
      found_{.clustering = {.objective = HUGE_VAL, .run = number}} {}

L2gfsRun::Fingerprint L2gfsRun::fingerprint(std::span<const Index> clusters) {
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

bool L2gfsRun::is_done() const {
  return found_.has_settled() || std::ssize(found_.clustering.iterations) >= max_iter_;
}

void L2gfsRun::note(const ClusterIteration& step, std::span<const Index> clusters) {
  Clustering& clustering = found_.clustering;
  clustering.iterations.push_back(step);
  clustering.converged = step.changed == 0;
  found_.is_circle = !seen_.insert(fingerprint(clusters)).second && !clustering.converged;
  is_at_best_ = clustering.converged || step.objective < clustering.objective;
  if (!is_at_best_) return;
  found_.broken = {.must_link = step.must_link_violations,
                   .cannot_link = step.cannot_link_violations};
  clustering.objective = step.objective;
  clustering.centroids = run_.centroids();
  clustering.weights = run_.weights();
  clustering.clusters = run_.clusters();
}

L2gfsResult L2gfsRun::result() const {
  L2gfsResult result = found_;
  result.weights = global_weights(found_.clustering, n_clusters_);
  return result;
}

void L2gfs::finish(const ClusterSetting& /*setting*/, const L2gfsOptions& options) {
  if (circles > 0)
    warnings.push_back(fmt::format(
        "{}: {} of {} runs came back to an earlier assignment; of each the best one visited counts",
        options.info.name, circles, runs.outcomes.size()));
}

Ranking ranking_of(const L2gfs& all, const ClusterSetting& setting, const L2gfsOptions& options,
                   Diagnostics diagnostics) {
  std::ranges::copy(all.warnings, std::back_inserter(diagnostics.warnings));
  const Clustering& best = all.runs.best.clustering;
  const Violations& broken = all.runs.best.broken;
  diagnostics.figures = {{"clusters", static_cast<double>(setting.n_clusters)},
                         {"best_run", static_cast<double>(best.run)},
                         {"objective", best.objective},
                         {"must_link_violations", static_cast<double>(broken.must_link)},
                         {"cannot_link_violations", static_cast<double>(broken.cannot_link)}};
  return rank_by_runs(options.info, setting, options.rank_by, all.runs, std::move(diagnostics));
}

}  // namespace tamis
