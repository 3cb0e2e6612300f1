#pragma once

#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// One merge of a dendrogram, as in SciPy's linkage: clusters 0 .. n - 1 are the rows, cluster n + t
/// is made by merge t; first < second.
struct Merge {
  Index first = 0;
  Index second = 0;
  double height = 0.0;  ///< Ward: sqrt(2 |A||B| / (|A| + |B|)) times the distance of the centroids
  Index size = 0;       ///< rows in the new cluster
};

/// Ward's clustering by the nearest-neighbour chain, merges sorted by height. O(n^2 m) time,
/// O(n m) memory: distances are those of centroids, never a matrix of all pairs.
std::vector<Merge> ward_linkage(const MatrixView& x, const Progress& progress = {});

/// The cluster of each row when the dendrogram is cut into `clusters`, numbered by first row.
std::vector<Index> cut(std::span<const Merge> merges, Index clusters);

/// Davies-Bouldin index: mean over clusters of the worst (s_a + s_b) / |c_a - c_b|, s = mean
/// distance of a cluster's rows from its centroid c. Lower is better.
double davies_bouldin(const MatrixView& x, std::span<const Index> assignment);

}  // namespace tamis
