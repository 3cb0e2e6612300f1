#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "clustering/weighted/weighted_plan.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// What one run of a weighted k-means leaves for the report.
struct RunOutcome {
  double objective = 0.0;
  Index iterations = 0;
  bool has_settled = false;  ///< before the iteration limit came
};

/// All runs: the one with the smallest objective (ties to the first), the feature weights of each.
/// A result has a `clustering`, the `weights` of the features and has_settled().
template <class Result>
struct WeightRuns {
  Result best = {};
  std::vector<RunOutcome> outcomes = {};
  std::vector<std::vector<double>> weights = {};

  void add(Result result) {
    const Clustering& clustering = result.clustering;
    outcomes.push_back({.objective = clustering.objective,
                        .iterations = std::ssize(clustering.iterations),
                        .has_settled = result.has_settled()});
    weights.push_back(result.weights);
    if (outcomes.size() == 1 || clustering.objective < best.clustering.objective)
      best = std::move(result);
  }
};

/// All runs of a method on a table in memory, one after the other, and the setting that they share.
/// `All` gathers what each OneRun leaves.
template <class All>
struct RunsInMemory {
  RunsInMemory(const Problem& problem, const typename All::Options& options,
               const ClusterGiven& given, const WeightedPlan& plan, const Run& run)
      : setting(problem, plan.n_clusters, plan.beta, given.order, run) {
    setting.learns_weights = plan.learns_weights;
    all.warnings = plan.warnings;
    const Index n_runs = given.start ? 1 : plan.restarts;
    Progress::Stage stage(run.progress, plan.method.name, n_runs);
    for (Index r = 0; r < n_runs; ++r) {
      const ClusterStart start = start_of_run(plan, given, problem.matrix, run.seed, r);
      record_start(run.trace, r, start, problem.cols());
      typename All::OneRun one(setting, options, start, r);
      while (!one.is_done()) one.step();
      auto result = one.result();
      record_iterations(run.trace, result.clustering);
      all.add(std::move(result));
      stage.advance();
    }
    all.finish(setting, options);
  }

  ClusterSetting setting;
  All all = {};
};

/// The mean of each feature's weights over the runs. A run that rejects a feature (NaN) counts as
/// 0, unless all of them do.
std::vector<double> mean_weights(std::span<const std::vector<double>> of_runs);

/// Puts what the runs did into the diagnostics: the figures of each, and a warning if some ended
/// early.
void describe_runs(const MethodInfo& method, std::span<const RunOutcome> runs,
                   Diagnostics& diagnostics);

/// Ranks features by their weights, or by those to the power of beta. Infinite weights come first
/// either way; NaN and columns that do not vary are undefined.
Ranking rank_by_weights(const MethodInfo& method, const ClusterSetting& setting, RankBy rank_by,
                        std::span<const double> weights, Diagnostics diagnostics);

/// Ranks features by the means of their weights over all runs, and tells what the best one did.
template <class Result>
Ranking rank_by_runs(const MethodInfo& method, const ClusterSetting& setting, RankBy rank_by,
                     const WeightRuns<Result>& runs, Diagnostics diagnostics) {
  describe_runs(method, runs.outcomes, diagnostics);
  Ranking ranking =
      rank_by_weights(method, setting, rank_by, mean_weights(runs.weights), std::move(diagnostics));
  ranking.iterations = runs.best.clustering.iterations;
  return ranking;
}

}  // namespace tamis
