#pragma once

#include <span>
#include <vector>

namespace tamis {

/// Ranks 1, 2, ... of values in ascending order; those that tie with the first of a run (core/ties)
/// share the mean of their ranks.
struct TiedRanks {
  std::vector<double> ranks = {};  ///< in the order of the values
  double tie_sum = 0.0;            ///< sum of t^3 - t over groups of t equal values
};

TiedRanks rank_with_ties(std::span<const double> values);

}  // namespace tamis
