#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tamis/core/options.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

enum class KmeansStart { plus_plus, random };
constexpr auto option_words(KmeansStart) {
  return std::array{std::pair{std::string_view("plus_plus"), KmeansStart::plus_plus},
                    std::pair{std::string_view("random"), KmeansStart::random}};
}

struct KmeansOptions {
  Index n_clusters = 2;
  KmeansStart start = KmeansStart::plus_plus;
  Index restarts = 10;
  Index max_iter = 100;
  std::uint64_t seed = 0;  ///< restart r draws from stream r of it

  static constexpr auto fields() {
    using Self = KmeansOptions;
    return std::tuple{
        field("n_clusters", &Self::n_clusters, at_least(1), "number of clusters"),
        field("start", &Self::start,
              "first centroids: rows far from each other (plus_plus), or any rows (random)"),
        field("restarts", &Self::restarts, at_least(1), "starts of which the best result counts"),
        field("max_iter", &Self::max_iter, at_least(1), "most times that the centroids move")};
  }
};

/// Rows in clusters, each row at its nearest centroid.
struct Kmeans {
  std::vector<double> centroids = {};  ///< clusters x columns
  std::vector<Index> clusters = {};    ///< of each given row
  double objective = 0.0;              ///< sum of squared distances of rows and their centroids
  Index iterations = 0;
  bool converged = false;  ///< false: rows still changed their cluster at max_iter
};

/// Lloyd's algorithm on the given rows: each row goes to its nearest centroid (ties to the lower),
/// each centroid to the mean of its rows, until no row changes its cluster. An empty cluster keeps
/// its centroid. The result is that of the restart with the smallest objective, ties to the first.
/// The start plus_plus draws each row by its squared distance from the centroids drawn before
/// (Arthur, Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007).
///
/// Depends on the seed, not on the number of threads. O(restarts x iterations x rows x clusters x
/// columns).
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer rows than clusters
Kmeans kmeans(const MatrixView& x, std::span<const Index> rows, const KmeansOptions& options,
              const Progress& progress = {});

}  // namespace tamis
