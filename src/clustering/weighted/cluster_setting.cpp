#include "clustering/weighted/cluster_setting.hpp"

#include "clustering/weighted/link_costs.hpp"

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

}  // namespace

ClusterSetting::ClusterSetting(const Problem& of, Index clusters, double of_beta,
                               std::span<const Index> order, const Run& of_run)
    : ClusterSetting(of, clusters, of_beta, order, of_run, column_units(of.matrix)) {}

ClusterSetting::ClusterSetting(const Problem& of, Index clusters, double of_beta,
                               std::span<const Index> order, const Run& of_run,
                               ColumnUnits of_columns)
    : problem(of),
      run(of_run),
      n_clusters(clusters),
      beta(of_beta),
      units(std::move(of_columns)),
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

}  // namespace tamis
