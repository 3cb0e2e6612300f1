#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

enum class KmeansStart { plus_plus, random };
constexpr auto option_words(KmeansStart) {
  return std::array{std::pair{std::string_view("plus_plus"), KmeansStart::plus_plus},
                    std::pair{std::string_view("random"), KmeansStart::random}};
}

/// Adds rows to the centroids (row-major, as wide as the table) until there are n_clusters, of
/// `rows` that are at least as many as the centroids to add. `random`: distinct rows, all alike.
/// `plus_plus`: each is drawn by its squared distance from the nearest centroid before it (Arthur,
/// Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007), the first of all
/// alike; if all distances are 0, the first row not yet drawn.
void draw_centroids(const MatrixView& x, std::span<const Index> rows, KmeansStart how,
                    Index n_clusters, RandomStream& random, std::vector<double>& centroids);

/// A place drawn with probability proportional to its weight; the first one not taken if all
/// weights are 0.
Index draw_place(std::span<const double> weights, const std::vector<bool>& is_taken,
                 RandomStream& random);

/// The mean of the given rows, of which there is at least one.
std::vector<double> mean_of_rows(const MatrixView& x, std::span<const Index> rows);

}  // namespace tamis
