#include "tamis/methods/wckm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clustering/weighted/fuzzy_run.hpp"
#include "clustering/weighted/weight_runs.hpp"
#include "methods/preconditions.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Memberships that change by less have settled.
constexpr double kTolerance = 1e-6;

struct WckmResult {
  Clustering clustering = {};  // without memberships
  std::vector<double> weights = {};
  MembershipRecipe recipe = {};
  double soft_violations = 0.0;

  bool has_settled() const { return clustering.converged; }
};

struct Wckm {
  ClusterSetting setting;
  WeightRuns<WckmResult> runs = {};
  std::vector<std::string> warnings = {};
};

WckmResult run_once(const ClusterSetting& setting, const WckmOptions& options,
                    const ClusterStart& start, Index number, Index& moved_by_links) {
  FuzzyRun run(setting, options.membership, options.penalty, start);
  WckmResult result{.clustering = {.run = number}};
  std::vector<ClusterIteration>& iterations = result.clustering.iterations;
  FuzzyRun::Step step;
  while (!result.clustering.converged && std::ssize(iterations) < options.max_iter) {
    step = run.step();
    iterations.push_back(step.iteration);
    record_iteration(setting.run.trace, number, std::ssize(iterations) - 1, step.iteration);
    result.clustering.converged = step.iteration.changed == 0 || step.largest_change < kTolerance;
  }
  moved_by_links += step.moved_by_links;
  result.clustering.objective = step.iteration.objective;
  result.clustering.centroids = run.centroids();
  result.clustering.weights = result.weights = run.weights();
  result.clustering.clusters = run.clusters();
  result.recipe = run.recipe();
  result.soft_violations = step.soft_violations;
  return result;
}

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

Wckm run_wckm(const Problem& problem, const WckmOptions& options, const ClusterGiven& given,
              const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  check_beta(options.info.name, options.beta);
  std::vector<std::string> warnings;
  const Index n_clusters =
      cluster_count(options.info.name, problem.known, problem.rows(), options.n_clusters, warnings);
  check_given(options.clusterer, given, n_clusters, problem.rows(), problem.cols());
  Wckm all{.setting = {problem, n_clusters, options.beta, given.order, run}};
  all.setting.learns_weights = options.weights == FeatureWeights::learned;
  Index moved_by_links = 0;
  all.runs =
      run_all<WckmResult>(options.info, all.setting, given, /*has_local_weights=*/false,
                          options.restarts, [&](const ClusterStart& start, Index number) {
                            return run_once(all.setting, options, start, number, moved_by_links);
                          });
  if (!all.setting.linked.empty() && moved_by_links == 0)
    warnings.push_back(idle_links_warning(options, all.runs.best.clustering.iterations.back()));
  all.warnings = std::move(warnings);
  return all;
}

}  // namespace

Ranking wckm(const Problem& problem, const WckmOptions& options, const Run& run) {
  if (options.weights == FeatureWeights::fixed)
    throw InvalidArgument(
        "wckm: weights = fixed leaves no weights to rank features by; it is for clustering");
  rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem.known, diagnostics);
  const Wckm all = run_wckm(problem, options, {}, run);
  std::ranges::copy(all.warnings, std::back_inserter(diagnostics.warnings));
  const Clustering& best = all.runs.best.clustering;
  const ClusterIteration& last = best.iterations.back();
  diagnostics.figures = {
      {"clusters", static_cast<double>(all.setting.n_clusters)},
      {"best_run", static_cast<double>(best.run)},
      {"objective", best.objective},
      {"soft_violations", all.runs.best.soft_violations},
      {"must_link_violations", static_cast<double>(last.must_link_violations)},
      {"cannot_link_violations", static_cast<double>(last.cannot_link_violations)}};
  describe_runs(options.info, all.runs.outcomes, diagnostics);
  Ranking ranking = rank_by_weights(options.info, all.setting, options.rank_by,
                                    mean_weights(all.runs.weights), std::move(diagnostics));
  ranking.iterations = best.iterations;
  return ranking;
}

Clustering wckm_clustering(const Problem& problem, const WckmOptions& options,
                           const ClusterGiven& given, const Run& run) {
  Wckm all = run_wckm(problem, options, given, run);
  Clustering clustering = std::move(all.runs.best.clustering);
  clustering.memberships = memberships(all.setting, all.runs.best.recipe);
  clustering.warnings = std::move(all.warnings);
  return clustering;
}

}  // namespace tamis
