#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// The rows of each cluster, ascending. Rows at none (negative) are left out.
class ClusterRows {
 public:
  ClusterRows(std::span<const Index> clusters, Index n_clusters);

  std::span<const Index> operator[](Index cluster) const {
    return std::span(rows_).subspan(offsets_[cluster], offsets_[cluster + 1] - offsets_[cluster]);
  }
  Index n_clusters() const { return std::ssize(offsets_) - 1; }

 private:
  std::vector<Index> offsets_;
  std::vector<Index> rows_;
};

/// Each centroid (clusters x columns) becomes the mean of its rows, summed in their order in
/// double; that of an empty cluster stays. Parallel over clusters and columns.
void move_centroids(const MatrixView& x, const ClusterRows& members, std::span<double> centroids);

}  // namespace tamis
