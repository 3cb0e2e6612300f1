#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"
#include "tamis/core/ranking.hpp"

/// Values that ought to be equal can differ in their last bits. Rounding must decide nothing: what
/// is as near as this counts as equal, and the lower column or row wins.
namespace tamis {

inline constexpr double kTie = 1e-10;

/// Whether two numbers differ by at most kTie x the larger of them. Equal infinities tie, too.
bool are_tied(double a, double b);

/// The first column whose criterion is within `tie` x (the largest |criterion|) of the best one; -1
/// if there is no candidate. Undefined ones are none.
Index first_of_best(std::span<const double> criteria, Better better, double tie = kTie);

/// Makes equal what ties: best first, values within kTie x (the largest |value|) of the first that
/// has not been taken become that one. Undefined ones are left alone.
void level_ties(std::span<double> values, Better better);

/// A row and how far away it is.
struct RowDistance {
  double distance;
  Index row;
};

/// Keeps the k nearest, nearest first: in the sorted list a run within kTie (relative) of its first
/// is one tie, in which lower rows come first.
void keep_nearest(std::vector<RowDistance>& rows, Index k);

}  // namespace tamis
