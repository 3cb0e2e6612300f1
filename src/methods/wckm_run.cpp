#include "methods/wckm_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Memberships that change by less have settled.
constexpr double kTolerance = 1e-6;

std::string idle_links_warning(const WckmOptions& options, const ClusterIteration& last) {
  const Index broken = last.must_link_violations + last.cannot_link_violations;
  return fmt::format(
      "{}: the constraints hardly act: without them every row would be in the same cluster at the "
      "end of each run{}",
      options.info.name,
      broken == 0 ? ""
                  : fmt::format("; {} of them are broken, and a penalty larger than {} would make "
                                "them count",
                                broken, options.penalty));
}

}  // namespace

WeightedPlan plan_of(const WckmOptions& options, const Knowledge& known, Index n_rows, Index n_cols,
                     const ClusterGiven& given) {
  check_ranges(options.info.name, options);
  WeightedPlan plan{.method = options.info,
                    .clusterer = options.clusterer,
                    .beta = options.beta,
                    .restarts = options.restarts,
                    .learns_weights = options.weights == FeatureWeights::learned};
  settle(plan, known, n_rows, n_cols, options.n_clusters, given);
  return plan;
}

WckmRun::WckmRun(const ClusterSetting& setting, const WckmOptions& options, ClusterStart start,
                 Index number)
    : max_iter_(options.max_iter),
      run_(setting, options.membership, options.penalty, std::move(start)),
      found_{.run = number} {}

bool WckmRun::is_done() const {
  return found_.converged || std::ssize(found_.iterations) >= max_iter_;
}

void WckmRun::note(const FuzzyRun::Step& step) {
  last_ = step;
  found_.iterations.push_back(step.iteration);
  found_.converged = step.iteration.changed == 0 || step.largest_change < kTolerance;
}

WckmResult WckmRun::result() const {
  WckmResult result{.clustering = found_,
                    .weights = run_.weights(),
                    .recipe = run_.recipe(),
                    .soft_violations = last_.soft_violations,
                    .moved_by_links = last_.moved_by_links};
  result.clustering.objective = last_.iteration.objective;
  result.clustering.centroids = run_.centroids();
  result.clustering.weights = run_.weights();
  result.clustering.clusters = run_.clusters();
  return result;
}

void Wckm::finish(const ClusterSetting& setting, const WckmOptions& options) {
  if (!setting.linked.empty() && moved_by_links == 0)
    warnings.push_back(idle_links_warning(options, runs.best.clustering.iterations.back()));
}

void check_rankable(const WckmOptions& options) {
  if (options.weights == FeatureWeights::fixed)
    throw InvalidArgument(
        "wckm: weights = fixed leaves no weights to rank features by; it is for clustering");
}

Ranking ranking_of(const Wckm& all, const ClusterSetting& setting, const WckmOptions& options,
                   Diagnostics diagnostics) {
  std::ranges::copy(all.warnings, std::back_inserter(diagnostics.warnings));
  const Clustering& best = all.runs.best.clustering;
  const ClusterIteration& last = best.iterations.back();
  diagnostics.figures = {
      {"clusters", static_cast<double>(setting.n_clusters)},
      {"best_run", static_cast<double>(best.run)},
      {"objective", best.objective},
      {"soft_violations", all.runs.best.soft_violations},
      {"must_link_violations", static_cast<double>(last.must_link_violations)},
      {"cannot_link_violations", static_cast<double>(last.cannot_link_violations)}};
  return rank_by_runs(options.info, setting, options.rank_by, all.runs, std::move(diagnostics));
}

}  // namespace tamis
