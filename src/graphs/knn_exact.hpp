#pragma once

#include <compare>
#include <functional>
#include <span>
#include <vector>

#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// The k nearest rows of each row, by (squared Euclidean distance, row).
struct Neighbors {
  Index k = 0;
  std::vector<Index> rows = {};                ///< of row i: k entries from i * k, nearest first
  std::vector<double> squared_distances = {};  ///< as squared_distance() gives them
};

/// Exact neighbours, the row itself excluded by index, ties to the lower row; k is cut to n - 1.
///
/// Products of centred rows, in float32 or as integers, are only a filter: candidates are rescored
/// exactly in double, and a row keeps them only with a certificate that no outsider can be nearer;
/// rows without one are searched again in double. O(n^2 m) time, O(n k) memory beyond the table,
/// never n x n.
Neighbors nearest_neighbors(const MatrixView& x, Index k, const Progress& progress = {});

/// The same among the given rows only (ascending); numbers in the result are rows of x, and
/// entry s belongs to row among[s].
Neighbors nearest_neighbors(const MatrixView& x, std::span<const Index> among, Index k,
                            const Progress& progress = {});

struct Neighbor {
  double squared_distance;
  Index row;
  friend auto operator<=>(const Neighbor&, const Neighbor&) = default;
};
/// Takes the neighbours of a row, nearest first.
using TakeNeighbors = std::function<void(Index row, std::span<const Neighbor> nearest)>;

/// The same for whom they are not all in memory at once: each row comes once, in any order, and
/// perhaps several at the same time, from as many threads.
void each_nearest_neighbors(const MatrixView& x, Index k, const TakeNeighbors& take,
                            const Progress& progress = {});

}  // namespace tamis
