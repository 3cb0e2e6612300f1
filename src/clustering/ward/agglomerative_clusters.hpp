#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// mean += share * (point - mean): equal points leave it as it is.
void move_mean(double* mean, const double* point, double share, Index cols);

/// The clusters of an agglomeration. A cluster is called by its lowest row. Centroids of a few rows
/// are made when they are needed: only those of kStoredSize rows and more are kept, at most
/// n / kStoredSize of them.
class WardClusters {
 public:
  static constexpr Index kStoredSize = 32;

  explicit WardClusters(const MatrixView& x);

  const MatrixView& table() const { return x_; }
  Index size(Index cluster) const { return sizes_[cluster]; }  ///< 0: it was merged
  bool is_stored(Index cluster) const { return sizes_[cluster] >= kStoredSize; }
  /// sum of the squared distances of its rows from its centroid
  double inertia(Index cluster) const { return inertias_[cluster]; }
  double height(Index cluster) const { return heights_[cluster]; }
  /// The cluster that a row, or a cluster of earlier, is in now.
  Index find(Index row);
  /// The clusters there are, ascending or as arranged.
  const std::vector<Index>& active();
  /// From now on in this order, of rows.
  void arrange(std::vector<Index> order) { active_ = std::move(order); }

  template <class Visit>
  void for_each_row(Index cluster, Visit&& visit) const {
    for (Index row = cluster; row >= 0; row = next_[row]) visit(row);
  }

  /// The centroid, in place or made in `scratch` (as many numbers as columns, twice).
  const double* centroid(Index cluster, std::vector<double>& scratch) const;
  std::vector<double> make_scratch() const { return std::vector<double>(2 * x_.cols()); }

  /// The squared distance of a point and the centroid of a cluster.
  double squared_distance_of_centroid(std::span<const double> point, Index cluster,
                                      std::vector<double>& scratch) const;
  /// Ward's squared distance: 2|A||B| / (|A| + |B|) times that of the centroids. `from` is the
  /// centroid of a.
  double squared_distance_from(const double* from, Index a, Index b,
                               std::vector<double>& scratch) const;
  static double scale(double rows, double other_rows) {
    return 2.0 * rows * other_rows / (rows + other_rows);
  }

  /// Joins two clusters at Ward's squared distance and returns the new one, the lower of the two.
  Index merge(Index a, Index b, double squared);

 private:
  void store_centroid(Index low, Index high);
  void release_centroid(Index cluster);

  const MatrixView& x_;
  std::vector<std::int32_t> sizes_;
  std::vector<double> inertias_;
  std::vector<double> heights_;
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> next_;  // row after row of a cluster, -1 at its end
  std::vector<std::int32_t> last_;
  std::vector<std::int32_t> places_;  // of stored centroids
  std::vector<std::int32_t> free_places_;
  std::vector<std::vector<double>> centroids_;
  std::vector<Index> active_;
};

}  // namespace tamis
