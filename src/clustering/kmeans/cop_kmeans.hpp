#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "clustering/kmeans/cluster_start.hpp"
#include "tamis/clustering/clustering.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

enum class PlacingOrder { rows, shuffle };
constexpr auto option_words(PlacingOrder) {
  return std::array{std::pair{std::string_view("rows"), PlacingOrder::rows},
                    std::pair{std::string_view("shuffle"), PlacingOrder::shuffle}};
}

struct CopKmeansOptions {
  std::optional<Index> n_clusters = std::nullopt;
  PlacingOrder order = PlacingOrder::shuffle;
  Index tries = 100;
  KmeansStart start = KmeansStart::random;
  Index restarts = 10;
  Index max_iter = 100;

  static constexpr ClustererInfo info{
      .name = "cop_kmeans",
      .title = "COP k-means",
      .reference =
          "Wagstaff, Cardie, Rogers, Schroedl, Constrained k-means clustering with "
          "background knowledge, ICML 2001",
      .hard_pairs_only = true};
  static constexpr auto fields() {
    using Self = CopKmeansOptions;
    return field_list(
        field("n_clusters", &Self::n_clusters, at_least(1),
              "number of clusters; auto: that of the labeled classes"),
        field("order", &Self::order,
              "place rows as they come, or in a random order; one that leaves no cluster for a row "
              "is tried again with that row first"),
        field("tries", &Self::tries, at_least(1), "most such orders of each restart"),
        field("start", &Self::start,
              "first centroids: rows far from each other (plus_plus), or any rows (random)"),
        field("restarts", &Self::restarts, at_least(1), "starts of which the best result counts"),
        field("max_iter", &Self::max_iter, at_least(1), "most times that the centroids move"));
  }
};

/// k-means that breaks no constraint: in each pass the rows, one after another, go to the nearest
/// cluster (ties to the lower) that holds no row cannot-linked with them and every row must-linked
/// with them of those placed before in this pass. Constraints are what labels and pairs say, closed
/// transitively. An empty cluster keeps its centroid; the objective is the sum of the squared
/// distances of rows and their centroids.
///
/// A pass may leave no cluster for a row though the constraints can be kept: it depends on the
/// order, which is that of the rows or the given one. With order = shuffle the order is random, or
/// the given one, and a failed run begins again with the row that found no cluster before all
/// others, up to `tries` times: what is hard to place comes first. Runs that fail are
/// left out (a warning tells), and if all fail there is no result. Passes may also move in circles,
/// since a greedy pass can raise the objective; then the run ends at max_iter.
///
/// Restart r draws from stream r of the problem's seed; the result does not depend on the number of
/// threads. O(restarts x iterations x rows x clusters x columns) with a single order; memory for a
/// few numbers per row and the centroids.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer clusters than labeled classes, fewer rows than clusters, no label
/// and no number of clusters, labels and pairs that contradict, or if what is given does not fit
/// @throws ComputationError naming a row for which no cluster was left, if that ended every run
Clustering cop_kmeans(const Problem& problem, const CopKmeansOptions& options = {},
                      const ClusterGiven& given = {}, const Run& run = {});

}  // namespace tamis
