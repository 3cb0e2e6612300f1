#include "clustering/weighted/weighted_plan.hpp"

#include <fmt/format.h>

#include <numeric>

#include "clustering/kmeans/cluster_start.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "core/random.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<double> equal_weights(Index cols) {
  return std::vector<double>(static_cast<std::size_t>(cols), 1.0 / static_cast<double>(cols));
}

ClusterStart random_start(const WeightedPlan& plan, const MatrixView& rows, std::uint64_t seed,
                          Index number) {
  RandomStream random(seed, static_cast<std::uint64_t>(number));
  ClusterStart start;
  draw_centroids(rows, all_indices(rows.rows()), KmeansStart::random, plan.n_clusters, random,
                 start.centroids);
  if (!plan.learns_weights) {
    start.weights = equal_weights(rows.cols());
    return start;
  }
  for (Index q = 0; q < (plan.has_local_weights() ? plan.n_clusters : 1); ++q) {
    std::vector<double> weights(rows.cols());
    for (double& weight : weights) weight = 1.0 - random.uniform();
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (const double weight : weights) start.weights.push_back(weight / total);
  }
  return start;
}

ClusterStart given_start(const WeightedPlan& plan, const ClusterStart& given, Index cols) {
  const bool has_local_weights = plan.has_local_weights();
  ClusterStart start = given;
  if (!plan.learns_weights && !start.weights.empty())
    throw DataError(
        fmt::format("{}: the start has weights, which count for nothing where weights are fixed; "
                    "leave them out",
                    plan.method.name));
  if (start.weights.empty()) start.weights = equal_weights(cols);
  const bool is_local = std::ssize(start.weights) != cols;
  if (is_local && !has_local_weights)
    throw DataError(
        fmt::format("{}: the start has {} weights; there should be one for each of the {} columns, "
                    "as all clusters share them",
                    plan.method.name, start.weights.size(), cols));
  if (has_local_weights && !is_local)
    for (Index q = 1; q < plan.n_clusters; ++q)
      for (Index r = 0; r < cols; ++r) start.weights.push_back(start.weights[r]);
  return start;
}

}  // namespace

void settle(WeightedPlan& plan, const Knowledge& known, Index n_rows, Index n_cols,
            std::optional<Index> n_clusters, const ClusterGiven& given) {
  check_beta(plan.method.name, plan.beta);
  if (plan.clusterer.hard_pairs_only) refuse_pair_weights(plan.method.name, known);
  plan.n_clusters = cluster_count(plan.method.name, known, n_rows, n_clusters, plan.warnings);
  check_given(plan.clusterer, given, plan.n_clusters, n_rows, n_cols);
}

ClusterStart start_of_run(const WeightedPlan& plan, const ClusterGiven& given,
                          const MatrixView& rows, std::uint64_t seed, Index number) {
  return given.start ? given_start(plan, *given.start, rows.cols())
                     : random_start(plan, rows, seed, number);
}

}  // namespace tamis
