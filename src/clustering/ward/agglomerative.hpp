#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// One merge of a dendrogram, as in SciPy's linkage: clusters 0 .. n - 1 are the rows, cluster n +
/// t is made by merge t; first < second.
struct Merge {
  Index first = 0;
  Index second = 0;
  double height = 0.0;  ///< Ward: sqrt(2 |A||B| / (|A| + |B|)) times the distance of the centroids
  Index size = 0;       ///< rows in the new cluster
};

/// Values that take 32 MB.
inline constexpr Index kMaxHeldValues = Index{1} << 24;

/// Ward's clustering by the nearest-neighbour chain, merges sorted by height; of equally near
/// clusters the one before in the chain, then the one with the lowest row.
///
/// Distances are those of centroids, never a matrix of all pairs: a float32 pass over the rows is a
/// filter with an error bound, and only what it lets through is measured in double. O(n^2 m) time;
/// memory for at most n / 32 centroids and some 500 bytes per row beyond the table, and for the
/// centroids of clusters, in 16 bits, as far as they are of at most `max_held` values. Sparse rows
/// are spread out a few at a time. Deterministic for any number of threads, whatever is held.
std::vector<Merge> ward_linkage(const MatrixView& x, const Progress& progress = {},
                                Index max_held = kMaxHeldValues);

/// The cluster of each row when the dendrogram of n rows is cut into `clusters` (1 .. n), numbered
/// by first row.
std::vector<Index> cut(std::span<const Merge> merges, Index clusters);

/// Davies-Bouldin index: mean over clusters of the worst (s_a + s_b) / |c_a - c_b|, s = mean
/// distance of a cluster's rows from its centroid c (0 for a single row). Infinite if two centroids
/// coincide, 0 for one cluster. Lower is better. `assignment` numbers the clusters from 0.
double davies_bouldin(const MatrixView& x, std::span<const Index> assignment);

/// The cut into 2 .. max_clusters (unset: ceil(sqrt(n))) clusters with the lowest Davies-Bouldin
/// index, ties to fewer clusters; one cluster for fewer than 3 rows.
std::vector<Index> davies_bouldin_cut(const MatrixView& x, std::span<const Merge> merges,
                                      std::optional<Index> max_clusters = std::nullopt);

}  // namespace tamis
