#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "graphs/coinciding_rows.hpp"
#include "graphs/pair_tile.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/graphs/graph_options.hpp"

/// Sums over all pairs of rows that share a group (a class, a cluster). There may be n^2 of them:
/// they pass by in tiles, and none is stored. The same for any number of threads.
namespace tamis {

/// exp(-(d^2 - nearest) / t), or 1.
struct PairWeight {
  Kernel kernel = Kernel::heat;
  double t = 1.0;
  double nearest = 0.0;

  double operator()(double squared_distance) const;
  /// Turns squared distances into weights, many at once: each as if it were alone.
  void apply(std::span<double> values) const;
};

/// The pairs of rows left[a] and right[b] that a tile holds.
struct TilePairs {
  std::span<const Index> left;
  std::span<const Index> right;
  bool is_diagonal;  ///< both blocks are the same

  /// The first b whose pair with a counts.
  Index first(Index a) const { return is_diagonal ? a + 1 : 0; }
};

/// How the pairs of a tile weigh.
struct TileRule {
  bool needs_distances = true;
  /// Gets squared distances and leaves weights, of which the degrees are the sums.
  std::function<void(const TilePairs&, PairTile::Values&)> weigh = nullptr;
  /// Changes the weights that all other sums see; returns how many pairs it counted. Optional.
  std::function<Index(const TilePairs&, PairTile::Values&)> edit = nullptr;
  /// For how many rows each row stands, if not for itself alone; not with `edit`.
  std::span<const double> copies = {};
  /// Whether no pair of the tile weighs anything, so that it need not be visited. Optional.
  std::function<bool(const TilePairs&)> is_empty = nullptr;
};

struct PairSums {
  std::vector<double> differences = {};  ///< of each column: sum of w_ij (x_ir - x_jr)^2
  std::vector<double> degrees = {};      ///< of each row: sum of w_ij before they were edited
  double weight = 0.0;                   ///< sum of w_ij
  double squared_weight = 0.0;
  Index counted = 0;
};

/// O(pairs x columns). `stage` names the work to those who wait.
PairSums sum_group_pairs(const MatrixView& x, const RowGroups& groups, const TileRule& rule,
                         const Progress& progress, std::string_view stage);

/// The same with the weights of a kernel, where rows that coincide are visited as one.
PairSums sum_group_pairs(const MatrixView& x, const CoincidingRows& rows, const PairWeight& weight,
                         const Progress& progress, std::string_view stage);

/// The same if all weights are 1: moments do, and O(rows x columns).
PairSums sum_equal_pairs(const MatrixView& x, const RowGroups& groups);

/// How many pairs of rows share a group.
Index count_group_pairs(const RowGroups& groups);

/// The sum of their squared distances, without visiting them.
double total_group_distance(const MatrixView& x, const RowGroups& groups);

/// The smallest squared distance of such a pair; infinite if there is none.
double nearest_group_pair(const MatrixView& x, const CoincidingRows& rows,
                          const Progress& progress);

/// Rows by their group, which is a number from 0, or negative for none.
RowGroups rows_by_group(std::span<const Index> groups);

}  // namespace tamis
