#include "clustering/ward/agglomerative.hpp"

#include <algorithm>
#include <cstdint>

#include "clustering/ward/agglomerative_clusters.hpp"
#include "clustering/ward/agglomerative_neighbors.hpp"
#include "constraints/disjoint_sets.hpp"

namespace tamis {
namespace {

/// Of two clusters, each called by its lowest row.
struct ChainMerge {
  std::int32_t first;
  std::int32_t second;
  double height;
};

/// Sorts merges by height and numbers the clusters as they come to be.
std::vector<Merge> relabel(std::vector<ChainMerge> chain) {
  std::ranges::stable_sort(chain, {}, &ChainMerge::height);
  const Index rows = std::ssize(chain) + 1;
  DisjointSets sets(rows);
  std::vector<Index> numbers = all_indices(rows);
  std::vector<Index> sizes(rows, 1);
  std::vector<Merge> merges;
  merges.reserve(rows - 1);
  for (const ChainMerge& merge : chain) {
    const Index a = sets.root(merge.first);
    const Index b = sets.root(merge.second);
    sets.join(a, b);
    const Index joined = sets.root(a);
    const auto [first, second] = std::minmax(numbers[a], numbers[b]);
    merges.push_back({first, second, merge.height, sizes[a] + sizes[b]});
    sizes[joined] = merges.back().size;
    numbers[joined] = rows + std::ssize(merges) - 1;
  }
  return merges;
}

/// In the order in which the chain comes to them.
std::vector<ChainMerge> merges_of_chain(const MatrixView& x, const Progress& progress,
                                        Index max_held) {
  const Index rows = x.rows();
  WardClusters clusters(x);
  ClusterNeighbors neighbors(clusters, max_held, progress);
  Progress::Stage stage(progress, "clusters", rows - 1);
  std::vector<ChainMerge> merges;
  merges.reserve(rows - 1);
  std::vector<Index> chain;  // each cluster is followed by its nearest: distances fall
  Index start = 0;
  while (std::ssize(merges) < rows - 1) {
    if (chain.empty()) {
      do start = (start + 1) % rows;
      while (clusters.size(start) == 0);
      chain.push_back(start);
    }
    const Index last = chain.back();
    const Index before = chain.size() > 1 ? chain[chain.size() - 2] : -1;
    const ClusterDistance nearest = neighbors.nearest(last, before);
    if (nearest.cluster != before) {
      chain.push_back(nearest.cluster);
      continue;
    }
    chain.resize(chain.size() - 2);
    const Index merged = neighbors.merge(last, before, nearest.squared);
    merges.push_back({static_cast<std::int32_t>(std::min(last, before)),
                      static_cast<std::int32_t>(std::max(last, before)), clusters.height(merged)});
    stage.advance();
  }
  return merges;
}

}  // namespace

std::vector<Merge> ward_linkage(const MatrixView& x, const Progress& progress, Index max_held) {
  return relabel(merges_of_chain(x, progress, max_held));
}

std::vector<Index> cut(std::span<const Merge> merges, Index clusters) {
  const Index rows = std::ssize(merges) + 1;
  DisjointSets sets(rows);
  std::vector<Index> row_of = all_indices(rows);  // some row of each cluster, by its number
  for (const Merge& merge : merges.first(static_cast<std::size_t>(rows - clusters))) {
    sets.join(row_of[merge.first], row_of[merge.second]);
    row_of.push_back(row_of[merge.first]);
  }
  std::vector<Index> numbers(rows, -1);
  std::vector<Index> assignment(rows);
  Index next = 0;
  for (Index i = 0; i < rows; ++i) {
    Index& number = numbers[sets.root(i)];
    if (number < 0) number = next++;
    assignment[i] = number;
  }
  return assignment;
}

}  // namespace tamis
