#include "clustering/kmeans/centroid_update.hpp"

#include <algorithm>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns that one task sums: so few that clusters of narrow tables are shared out too.
constexpr Index kColumnBlock = 64;

template <class T>
void add_to(const T* values, Index width, double* sums) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < width; ++r) sums[r] += static_cast<double>(values[r]);
  });
}

void divide(double* sums, Index width, Index count) {
  for (Index r = 0; r < width; ++r) sums[r] /= static_cast<double>(count);
}

template <class T>
void fill_means(const DenseView<T>& x, const ClusterRows& members, std::span<double> centroids) {
  const Index n_blocks = (x.cols() + kColumnBlock - 1) / kColumnBlock;
  parallel_for(members.n_clusters() * n_blocks, 1, [&](Index task, Index) {
    const std::span<const Index> rows = members[task / n_blocks];
    if (rows.empty()) return;
    const Index first = task % n_blocks * kColumnBlock;
    const Index width = std::min(kColumnBlock, x.cols() - first);
    double* const sums = centroids.data() + task / n_blocks * x.cols() + first;
    std::fill_n(sums, width, 0.0);
    for (const Index row : rows) add_to(x.row(row) + first, width, sums);
    divide(sums, width, std::ssize(rows));
  });
}

template <class T>
void fill_means(const CsrView<T>& x, const ClusterRows& members, std::span<double> centroids) {
  parallel_for(members.n_clusters(), 1, [&](Index cluster, Index) {
    const std::span<const Index> rows = members[cluster];
    if (rows.empty()) return;
    double* const sums = centroids.data() + cluster * x.cols();
    std::fill_n(sums, x.cols(), 0.0);
    for (const Index row : rows)
      for (Index e = 0; e < std::ssize(x.row_columns(row)); ++e)
        sums[x.row_columns(row)[e]] += static_cast<double>(x.row_values(row)[e]);
    divide(sums, x.cols(), std::ssize(rows));
  });
}

}  // namespace

ClusterRows::ClusterRows(std::span<const Index> clusters, Index n_clusters)
    : offsets_(n_clusters + 1, 0) {
  for (const Index cluster : clusters)
    if (cluster >= 0) ++offsets_[cluster + 1];
  for (Index q = 0; q < n_clusters; ++q) offsets_[q + 1] += offsets_[q];
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  rows_.resize(static_cast<std::size_t>(offsets_.back()));
  for (Index row = 0; row < std::ssize(clusters); ++row)
    if (clusters[row] >= 0) rows_[next[clusters[row]]++] = row;
}

void move_centroids(const MatrixView& x, const ClusterRows& members, std::span<double> centroids) {
  x.visit([&](const auto& view) { fill_means(view, members, centroids); });
}

}  // namespace tamis
