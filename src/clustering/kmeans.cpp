#include "tamis/clustering/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tamis/clustering/nearest_center.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/random.hpp"

namespace tamis {
namespace {

/// A place drawn with probability proportional to its weight; the first one not taken if all
/// weights are 0.
Index draw(std::span<const double> weights, const std::vector<bool>& is_taken,
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

/// Places in `rows`, each drawn by its squared distance from those before.
std::vector<Index> distant_places(const MatrixView& x, std::span<const Index> rows, Index count,
                                  RandomStream& random) {
  constexpr Index kRowsAtOnce = 256;
  std::vector<Index> places{random.below(std::ssize(rows))};
  std::vector<double> nearest(rows.size(), HUGE_VAL);
  std::vector<bool> is_taken(rows.size(), false);
  while (std::ssize(places) < count) {
    is_taken[places.back()] = true;
    parallel_for(std::ssize(rows), kRowsAtOnce, [&](Index begin, Index end) {
      for (Index s = begin; s < end; ++s)
        nearest[s] = std::min(nearest[s], squared_distance(x, rows[s], rows[places.back()]));
    });
    places.push_back(draw(nearest, is_taken, random));
  }
  return places;
}

std::vector<double> first_centroids(const MatrixView& x, std::span<const Index> rows,
                                    const KmeansOptions& options, RandomStream& random) {
  const std::vector<Index> places = options.start == KmeansStart::random
                                        ? random.sample(std::ssize(rows), options.n_clusters)
                                        : distant_places(x, rows, options.n_clusters, random);
  std::vector<Index> chosen;
  for (const Index place : places) chosen.push_back(rows[place]);
  std::vector<double> centroids(options.n_clusters * x.cols());
  copy_columns(x, chosen, 0, x.cols(), centroids.data());
  return centroids;
}

void move_centroids(const MatrixView& x, std::span<const Index> rows, Kmeans& result) {
  std::vector<std::vector<Index>> members(result.centroids.size() / x.cols());
  for (Index s = 0; s < std::ssize(rows); ++s) members[result.clusters[s]].push_back(rows[s]);
  for (Index q = 0; q < std::ssize(members); ++q) {
    if (members[q].empty()) continue;
    const std::vector<double> ones(members[q].size(), 1.0);
    std::ranges::copy(weighted_moments(x, members[q], ones).mean,
                      result.centroids.begin() + q * x.cols());
  }
}

/// Returns whether a row changed its cluster.
bool assign_rows(const MatrixView& x, std::span<const Index> rows, Kmeans& result) {
  NearestCenters nearest = nearest_centers(x, rows, result.centroids);
  const bool has_changed = nearest.centers != result.clusters;
  result.clusters = std::move(nearest.centers);
  result.objective =
      std::accumulate(nearest.squared_distances.begin(), nearest.squared_distances.end(), 0.0);
  return has_changed;
}

Kmeans run_once(const MatrixView& x, std::span<const Index> rows, const KmeansOptions& options,
                std::uint64_t restart) {
  RandomStream random(options.seed, restart);
  Kmeans result{.centroids = first_centroids(x, rows, options, random)};
  assign_rows(x, rows, result);
  while (!result.converged && result.iterations < options.max_iter) {
    move_centroids(x, rows, result);
    ++result.iterations;
    result.converged = !assign_rows(x, rows, result);
  }
  return result;
}

}  // namespace

Kmeans kmeans(const MatrixView& x, std::span<const Index> rows, const KmeansOptions& options,
              const Progress& progress) {
  check_ranges("kmeans", options);
  if (std::ssize(rows) < options.n_clusters)
    throw DataError(fmt::format("kmeans: {} clusters need as many rows, and there are {}",
                                options.n_clusters, rows.size()));
  Progress::Stage stage(progress, "k-means", options.restarts);
  Kmeans best;
  for (Index restart = 0; restart < options.restarts; ++restart) {
    Kmeans result = run_once(x, rows, options, static_cast<std::uint64_t>(restart));
    if (restart == 0 || result.objective < best.objective) best = std::move(result);
    stage.advance();
  }
  return best;
}

}  // namespace tamis
