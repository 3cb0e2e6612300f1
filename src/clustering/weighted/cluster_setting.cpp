#include "clustering/weighted/cluster_setting.hpp"

#include <fmt/format.h>

#include <numeric>

#include "clustering/kmeans/cluster_start.hpp"
#include "clustering/weighted/link_costs.hpp"
#include "core/random.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<Index> rows_without(std::span<const Index> listed, Index n_rows) {
  std::vector<bool> is_listed(n_rows, false);
  for (const Index row : listed) is_listed[row] = true;
  std::vector<Index> rows;
  rows.reserve(n_rows - std::ssize(listed));
  for (Index row = 0; row < n_rows; ++row)
    if (!is_listed[row]) rows.push_back(row);
  return rows;
}

std::vector<double> equal_weights(Index cols) {
  return std::vector<double>(static_cast<std::size_t>(cols), 1.0 / static_cast<double>(cols));
}

}  // namespace

ClusterSetting::ClusterSetting(const Problem& of, Index clusters, double of_beta,
                               std::span<const Index> order, const Run& of_run)
    : problem(of),
      run(of_run),
      n_clusters(clusters),
      beta(of_beta),
      units(column_units(of.matrix)),
      links(of.known, of.rows()),
      linked(order.empty() ? linked_rows(links, all_indices(of.rows()))
                           : linked_rows(links, order)),
      free(rows_without(linked, of.rows())) {}

std::vector<double> row_distances(const ClusterSetting& setting, std::span<const Index> rows,
                                  const ScaledCenters<double>& centers) {
  const Index n_clusters = setting.n_clusters;
  std::vector<double> distances(rows.size() * n_clusters);
  for_each_group<double>(
      setting.problem.matrix, rows, setting.units, n_clusters,
      [&](RowGroup<double>& group, Index first, Index count) {
        group.measure(centers);
        group.copy_by_row(group.distances(), count, &distances[first * n_clusters]);
      },
      [](RowGroup<double>&, Index) {});
  return distances;
}

ClusterStart random_start(const ClusterSetting& setting, bool has_local_weights, Index number) {
  const Problem& problem = setting.problem;
  RandomStream random(setting.run.seed, static_cast<std::uint64_t>(number));
  ClusterStart start;
  draw_centroids(problem.matrix, all_indices(problem.rows()), KmeansStart::random,
                 setting.n_clusters, random, start.centroids);
  if (!setting.learns_weights) {
    start.weights = equal_weights(problem.cols());
    return start;
  }
  for (Index q = 0; q < (has_local_weights ? setting.n_clusters : 1); ++q) {
    std::vector<double> weights(problem.cols());
    for (double& weight : weights) weight = 1.0 - random.uniform();
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (const double weight : weights) start.weights.push_back(weight / total);
  }
  return start;
}

ClusterStart given_start(const MethodInfo& method, const ClusterSetting& setting,
                         const ClusterStart& given, bool has_local_weights) {
  const Index cols = setting.problem.cols();
  ClusterStart start = given;
  if (!setting.learns_weights && !start.weights.empty())
    throw DataError(
        fmt::format("{}: the start has weights, which count for nothing where weights are fixed; "
                    "leave them out",
                    method.name));
  if (start.weights.empty()) start.weights = equal_weights(cols);
  const bool is_local = std::ssize(start.weights) != cols;
  if (is_local && !has_local_weights)
    throw DataError(
        fmt::format("{}: the start has {} weights; there should be one for each of the {} columns, "
                    "as all clusters share them",
                    method.name, start.weights.size(), cols));
  if (has_local_weights && !is_local)
    for (Index q = 1; q < setting.n_clusters; ++q)
      for (Index r = 0; r < cols; ++r) start.weights.push_back(start.weights[r]);
  return start;
}

}  // namespace tamis
