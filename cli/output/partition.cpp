#include "cli/output/partition.hpp"

#include <algorithm>

#include "clustering/links.hpp"
#include "evaluation/metrics.hpp"

namespace tamis::cli {
namespace {

constexpr Index kMostListedPairs = 10'000;

std::optional<Agreement> agreement_over(std::span<const Index> rows, const ClusteredTable& table,
                                        std::span<const Index> clusters) {
  if (rows.empty()) return std::nullopt;
  std::vector<Index> classes;
  std::vector<Index> found;
  for (const Index row : rows) {
    classes.push_back(table.true_labels[row]);
    found.push_back(clusters[row]);
  }
  return Agreement{.rows = std::ssize(rows),
                   .rand = rand_index(classes, found),
                   .adjusted_rand = adjusted_rand_index(classes, found),
                   .nmi = normalized_mutual_information(classes, found)};
}

std::vector<Index> rows_of_known_class(const ClusteredTable& table) {
  std::vector<Index> rows;
  for (Index row = 0; row < std::ssize(table.true_labels); ++row)
    if (table.true_labels[row] != kUnlabeled) rows.push_back(row);
  return rows;
}

/// Those of which the clustering was told nothing.
std::vector<Index> held_out_rows(std::vector<Index> rows, const Links& links) {
  std::erase_if(rows, [&](Index row) { return links.group_of(row) != Links::kNoGroup; });
  return rows;
}

}  // namespace

Partition::Partition(const ClusteringOutcome& outcome)
    : table(outcome.table),
      clustering(outcome.run.clustering),
      learned(outcome.learned),
      n_local(outcome.n_local),
      members(clustering.centroids.size() / table.cols),
      scores_(outcome.run.scores) {
  for (const Index row : outcome.rows) members[clustering.clusters[row]].push_back(row);
  const Links links(table.known, table.rows);
  has_links = links.n_groups() > 0;
  broken = violations(links, clustering.clusters);
  if (outcome.lists_violations) listed = broken_pairs(links, clustering.clusters, kMostListedPairs);
  const std::vector<Index> known = rows_of_known_class(table);
  agreement = agreement_over(known, table, clustering.clusters);
  held_out = agreement_over(held_out_rows(known, links), table, clustering.clusters);
}

double Partition::weight(Index cluster, Index column) const {
  return clustering.weights[cluster * table.cols + column];
}

std::vector<double> Partition::global_weights() const {
  if (learned != Learns::weights_of_clusters) return clustering.weights;
  std::vector<double> means(table.cols, 0.0);
  for (Index column = 0; column < table.cols; ++column) {
    for (Index q = 0; q < n_clusters(); ++q) means[column] += weight(q, column);
    means[column] /= static_cast<double>(n_clusters());
  }
  return means;
}

std::vector<Index> Partition::best_features(Index cluster, Index count) const {
  const Index cols = table.cols;
  std::vector<Index> columns = all_indices(cols);
  std::erase_if(columns, [&](Index column) { return weight(cluster, column) == 0.0; });
  std::ranges::stable_sort(columns, std::greater{},
                           [&](Index column) { return scores_[cluster * cols + column]; });
  columns.resize(std::min(count, std::ssize(columns)));
  return columns;
}

}  // namespace tamis::cli
