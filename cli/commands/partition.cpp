#include "cli/commands/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "clustering/links.hpp"
#include "evaluation/metrics.hpp"

namespace tamis::cli {
namespace {

constexpr Index kMostListedPairs = 10'000;

std::optional<Agreement> agreement_over(std::span<const Index> rows, const LoadedProblem& data,
                                        std::span<const Index> clusters) {
  if (rows.empty()) return std::nullopt;
  std::vector<Index> classes;
  std::vector<Index> found;
  for (const Index row : rows) {
    classes.push_back(data.true_labels[row]);
    found.push_back(clusters[row]);
  }
  return Agreement{.rows = std::ssize(rows),
                   .rand = rand_index(classes, found),
                   .adjusted_rand = adjusted_rand_index(classes, found),
                   .nmi = normalized_mutual_information(classes, found)};
}

std::vector<Index> rows_of_known_class(const LoadedProblem& data) {
  std::vector<Index> rows;
  for (Index row = 0; row < std::ssize(data.true_labels); ++row)
    if (data.true_labels[row] != kUnlabeled) rows.push_back(row);
  return rows;
}

/// Those of which the clustering was told nothing.
std::vector<Index> held_out_rows(std::vector<Index> rows, const Links& links) {
  std::erase_if(rows, [&](Index row) { return links.group_of(row) != Links::kNoGroup; });
  return rows;
}

using RowsByCluster = std::map<Index, std::vector<Index>>;

RowsByCluster by_cluster(std::span<const Index> rows, std::span<const Index> clusters) {
  RowsByCluster parts;
  for (const Index row : rows) parts[clusters[row]].push_back(row);
  return parts;
}

/// Adds every pair of a row of one list and a row of the other; false once there are `limit`.
bool add_pairs(std::span<const Index> some, std::span<const Index> others, Index limit,
               std::vector<RowPair>& pairs) {
  for (const Index i : some)
    for (const Index j : others) {
      if (std::ssize(pairs) >= limit) return false;
      pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  return true;
}

/// Must-linked rows in different clusters.
bool add_parted(const RowsByCluster& group, Index limit, std::vector<RowPair>& pairs) {
  for (auto one = group.begin(); one != group.end(); ++one)
    for (auto other = std::next(one); other != group.end(); ++other)
      if (!add_pairs(one->second, other->second, limit, pairs)) return false;
  return true;
}

/// Rows of two groups in the same cluster.
bool add_joined(const RowsByCluster& group, const RowsByCluster& other, Index limit,
                std::vector<RowPair>& pairs) {
  for (const auto& [cluster, rows] : group)
    if (const auto found = other.find(cluster); found != other.end())
      if (!add_pairs(rows, found->second, limit, pairs)) return false;
  return true;
}

void sort_by_rows(std::vector<RowPair>& pairs) {
  std::ranges::sort(pairs, {}, [](const RowPair& p) { return std::pair(p.first, p.second); });
}

}  // namespace

BrokenPairs list_broken_pairs(const Problem& problem, std::span<const Index> clusters,
                              Index limit) {
  const Links links(problem.known, problem.rows());
  std::vector<RowsByCluster> groups;
  for (const std::vector<Index>& rows : links.groups())
    groups.push_back(by_cluster(rows, clusters));
  BrokenPairs broken;
  for (const RowsByCluster& group : groups)
    if (!add_parted(group, limit, broken.must_link)) break;
  bool has_room = true;
  for (Index g = 0; g < links.n_groups() && has_room; ++g)
    links.for_each_apart(g, [&](Index other) {
      if (other > g && has_room)
        has_room = add_joined(groups[g], groups[other], limit, broken.cannot_link);
    });
  sort_by_rows(broken.must_link);
  sort_by_rows(broken.cannot_link);
  return broken;
}

double Partition::weight(Index cluster, Index column) const {
  return clustering.weights[cluster * data.problem.cols() + column];
}

std::vector<double> Partition::global_weights() const {
  if (learned != Learns::weights_of_clusters) return clustering.weights;
  std::vector<double> means(data.problem.cols(), 0.0);
  for (Index column = 0; column < data.problem.cols(); ++column) {
    for (Index q = 0; q < n_clusters(); ++q) means[column] += weight(q, column);
    means[column] /= static_cast<double>(n_clusters());
  }
  return means;
}

std::vector<Index> Partition::best_features(Index cluster, Index count) const {
  const Index cols = data.problem.cols();
  std::vector<Index> columns(cols);
  std::iota(columns.begin(), columns.end(), Index{0});
  std::erase_if(columns, [&](Index column) { return weight(cluster, column) == 0.0; });
  std::ranges::stable_sort(columns, std::greater{},
                           [&](Index column) { return scores[cluster * cols + column]; });
  columns.resize(std::min(count, std::ssize(columns)));
  return columns;
}

void examine(const ClusterTask& task, Partition& partition) {
  const std::vector<Index>& clusters = partition.clustering.clusters;
  partition.members.resize(std::ssize(partition.clustering.centroids) / task.data.problem.cols());
  for (const Index row : task.rows) partition.members[clusters[row]].push_back(row);

  const Links links(task.data.problem.known, task.data.problem.rows());
  partition.has_links = links.n_groups() > 0;
  partition.broken = violations(links, clusters);
  if (task.lists_violations)
    partition.broken_pairs = list_broken_pairs(task.data.problem, clusters, kMostListedPairs);
  const std::vector<Index> known = rows_of_known_class(task.data);
  partition.agreement = agreement_over(known, task.data, clusters);
  partition.held_out = agreement_over(held_out_rows(known, links), task.data, clusters);
}

}  // namespace tamis::cli
