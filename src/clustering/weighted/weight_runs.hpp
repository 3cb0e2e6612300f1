#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
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
template <class Result>
struct WeightRuns {
  Result best = {};
  std::vector<RunOutcome> outcomes = {};
  std::vector<std::vector<double>> weights = {};
};

/// Calls run(start, number) for the given start, or for as many random ones as wanted. Its result
/// has a `clustering`, the `weights` of the features and has_settled().
template <class Result, class Run>
WeightRuns<Result> run_all(const MethodInfo& method, const ClusterSetting& setting,
                           const ClusterGiven& given, bool has_local_weights, Index restarts,
                           const Run& run) {
  const Index n_runs = given.start ? 1 : restarts;
  Progress::Stage stage(setting.run.progress, method.name, n_runs);
  WeightRuns<Result> all;
  for (Index r = 0; r < n_runs; ++r) {
    const ClusterStart start = given.start
                                   ? given_start(method, setting, *given.start, has_local_weights)
                                   : random_start(setting, has_local_weights, r);
    record_start(setting.run.trace, r, start, setting.problem.cols());
    Result result = run(start, r);
    all.outcomes.push_back({.objective = result.clustering.objective,
                            .iterations = std::ssize(result.clustering.iterations),
                            .has_settled = result.has_settled()});
    all.weights.push_back(result.weights);
    if (r == 0 || result.clustering.objective < all.best.clustering.objective)
      all.best = std::move(result);
    stage.advance();
  }
  return all;
}

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

}  // namespace tamis
