#include "clustering/kmeans/cluster_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/nearest_center.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Places in `rows`, each drawn by its squared distance from the centroids and the places before.
std::vector<Index> distant_places(const MatrixView& x, std::span<const Index> rows, Index count,
                                  RandomStream& random, std::span<const double> centroids) {
  constexpr Index kRowsAtOnce = 256;
  std::vector<bool> is_taken(rows.size(), false);
  std::vector<double> nearest(rows.size(), HUGE_VAL);
  std::vector<Index> places;
  if (centroids.empty()) {
    places.push_back(random.below(std::ssize(rows)));
  } else {
    nearest = nearest_centers(x, rows, centroids).squared_distances;
    places.push_back(draw_place(nearest, is_taken, random));
  }
  while (std::ssize(places) < count) {
    is_taken[places.back()] = true;
    parallel_for(std::ssize(rows), kRowsAtOnce, [&](Index begin, Index end) {
      for (Index s = begin; s < end; ++s)
        nearest[s] = std::min(nearest[s], squared_distance(x, rows[s], rows[places.back()]));
    });
    places.push_back(draw_place(nearest, is_taken, random));
  }
  return places;
}

}  // namespace

Index draw_place(std::span<const double> weights, const std::vector<bool>& is_taken,
                 RandomStream& random) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double target = random.uniform() * total;
  Index last = std::ranges::find(is_taken, false) - is_taken.begin();
  double sum = 0.0;
  for (Index s = 0; s < std::ssize(weights); ++s) {
    if (weights[s] == 0.0) continue;
    last = s;
    sum += weights[s];
    if (sum > target) break;
  }
  return last;
}

void draw_centroids(const MatrixView& x, std::span<const Index> rows, KmeansStart how,
                    Index n_clusters, RandomStream& random, std::vector<double>& centroids) {
  const Index count = n_clusters - std::ssize(centroids) / x.cols();
  if (count == 0) return;
  const std::vector<Index> places = how == KmeansStart::random
                                        ? random.sample(std::ssize(rows), count)
                                        : distant_places(x, rows, count, random, centroids);
  std::vector<Index> chosen;
  for (const Index place : places) chosen.push_back(rows[place]);
  const auto n_known = std::ssize(centroids);
  centroids.resize(n_clusters * x.cols());
  copy_columns(x, chosen, 0, x.cols(), centroids.data() + n_known);
}

std::vector<double> mean_of_rows(const MatrixView& x, std::span<const Index> rows) {
  std::vector<double> mean(x.cols(), 0.0);
  for (const Index row : rows) add_row(x, row, 1.0, mean);
  for (double& value : mean) value /= static_cast<double>(rows.size());
  return mean;
}

}  // namespace tamis
