#include "clustering/weighted/weight_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis {

std::vector<double> mean_weights(std::span<const std::vector<double>> of_runs) {
  std::vector<double> means;
  for (std::size_t r = 0; r < of_runs.front().size(); ++r) {
    double sum = 0.0;
    bool is_rejected = true;
    for (const std::vector<double>& weights : of_runs) {
      if (std::isnan(weights[r])) continue;
      sum += weights[r];
      is_rejected = false;
    }
    means.push_back(is_rejected ? kUndefined : sum / static_cast<double>(of_runs.size()));
  }
  return means;
}

void describe_runs(const MethodInfo& method, std::span<const RunOutcome> runs,
                   Diagnostics& diagnostics) {
  Index unfinished = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    diagnostics.figures.emplace_back(fmt::format("objective_of_run_{}", r), runs[r].objective);
    diagnostics.figures.emplace_back(fmt::format("iterations_of_run_{}", r),
                                     static_cast<double>(runs[r].iterations));
    diagnostics.iterations = std::max(diagnostics.iterations, static_cast<int>(runs[r].iterations));
    unfinished += runs[r].has_settled ? 0 : 1;
  }
  if (unfinished == 0) return;
  diagnostics.converged = false;
  diagnostics.warnings.push_back(
      fmt::format("{}: {} of {} runs did not settle within max_iter iterations", method.name,
                  unfinished, runs.size()));
}

Ranking rank_by_weights(const MethodInfo& method, const ClusterSetting& setting, RankBy rank_by,
                        std::span<const double> weights, Diagnostics diagnostics) {
  std::vector<double> scores;
  std::vector<double> finite;
  for (Index r = 0; r < std::ssize(weights); ++r) {
    const bool is_plain = std::isfinite(weights[r]);
    finite.push_back(is_plain ? weights[r] : 0.0);
    const double score = rank_by == RankBy::distance_weight && is_plain
                             ? distance_weight(weights[r], setting.beta)
                             : weights[r];
    scores.push_back(setting.units.varies[r] ? score : kUndefined);
  }
  if (std::string warning = few_features_warning(method.name, finite, setting.beta);
      !warning.empty())
    diagnostics.warnings.push_back(std::move(warning));
  return rank_features(
      std::move(scores), Better::higher, std::move(diagnostics),
      fmt::format("{}: every feature takes a single value in each cluster, and none "
                  "tells all clusters apart; ask for fewer clusters",
                  method.name));
}

}  // namespace tamis
