#include "clustering/ward/agglomerative_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/simd.hpp"

namespace tamis {
namespace {

template <class T>
void move_towards(double* mean, const T* point, double share, Index cols) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < cols; ++r) mean[r] += share * (static_cast<double>(point[r]) - mean[r]);
  });
}

/// The same towards a row of the table, which is spread out in `point` if it is sparse.
void move_to_row(double* mean, const MatrixView& x, Index row, double share, double* point) {
  x.visit([&]<class View>(const View& view) {
    if constexpr (std::is_same_v<View, DenseView<typename View::value_type>>) {
      move_towards(mean, view.row(row), share, x.cols());
    } else {
      copy_columns(x, std::span(&row, 1), 0, x.cols(), point);
      move_towards(mean, point, share, x.cols());
    }
  });
}

}  // namespace

void move_mean(double* mean, const double* point, double share, Index cols) {
  move_towards(mean, point, share, cols);
}

WardClusters::WardClusters(const MatrixView& x)
    : x_(x),
      sizes_(x.rows(), 1),
      inertias_(x.rows(), 0.0),
      heights_(x.rows(), 0.0),
      parents_(x.rows()),
      next_(x.rows(), -1),
      places_(x.rows(), -1),
      active_(all_indices(x.rows())) {
  std::iota(parents_.begin(), parents_.end(), 0);
  last_ = parents_;
}

Index WardClusters::find(Index row) {
  while (parents_[row] != row) row = parents_[row] = parents_[parents_[row]];
  return row;
}

const std::vector<Index>& WardClusters::active() {
  std::erase_if(active_, [&](Index cluster) { return sizes_[cluster] == 0; });
  return active_;
}

const double* WardClusters::centroid(Index cluster, std::vector<double>& scratch) const {
  if (is_stored(cluster)) return centroids_[places_[cluster]].data();
  double* const mean = scratch.data();
  double seen = 0.0;
  for_each_row(cluster, [&](Index row) {
    seen += 1.0;
    if (seen == 1.0)
      copy_columns(x_, std::span(&row, 1), 0, x_.cols(), mean);
    else
      move_to_row(mean, x_, row, 1.0 / seen, scratch.data() + x_.cols());
  });
  return mean;
}

double WardClusters::squared_distance_of_centroid(std::span<const double> point, Index cluster,
                                                  std::vector<double>& scratch) const {
  if (sizes_[cluster] == 1 && !x_.is_sparse()) return squared_distance(x_, cluster, point);
  return squared_distance(DenseView<double>(centroid(cluster, scratch), 1, x_.cols()), 0, point);
}

double WardClusters::squared_distance_from(const double* from, Index a, Index b,
                                           std::vector<double>& scratch) const {
  const std::span<const double> point(from, static_cast<std::size_t>(x_.cols()));
  return scale(static_cast<double>(sizes_[a]), static_cast<double>(sizes_[b])) *
         squared_distance_of_centroid(point, b, scratch);
}

void WardClusters::store_centroid(Index low, Index high) {
  std::vector<double> scratch = make_scratch();
  std::vector<double> other_scratch = make_scratch();
  const double* const mean = centroid(low, scratch);
  std::vector<double> joined(mean, mean + x_.cols());
  const double share =
      static_cast<double>(sizes_[high]) / static_cast<double>(sizes_[low] + sizes_[high]);
  move_mean(joined.data(), centroid(high, other_scratch), share, x_.cols());
  release_centroid(low);
  release_centroid(high);
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<std::int32_t>(centroids_.size()));
    centroids_.emplace_back();
  }
  places_[low] = free_places_.back();
  free_places_.pop_back();
  centroids_[places_[low]] = std::move(joined);
}

void WardClusters::release_centroid(Index cluster) {
  if (places_[cluster] < 0) return;
  free_places_.push_back(places_[cluster]);
  centroids_[places_[cluster]] = {};
  places_[cluster] = -1;
}

Index WardClusters::merge(Index a, Index b, double squared) {
  const auto [low, high] = std::minmax(a, b);
  if (sizes_[low] + sizes_[high] >= kStoredSize) store_centroid(low, high);
  // Rounding must not put a merge below those that it is made of.
  heights_[low] = std::max({std::sqrt(squared), heights_[low], heights_[high]});
  inertias_[low] += inertias_[high] + 0.5 * squared;
  sizes_[low] += sizes_[high];
  sizes_[high] = 0;
  parents_[high] = static_cast<std::int32_t>(low);
  next_[last_[low]] = static_cast<std::int32_t>(high);
  last_[low] = last_[high];
  return low;
}

}  // namespace tamis
