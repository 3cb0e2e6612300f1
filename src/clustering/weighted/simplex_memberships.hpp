#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Distances below this count as 0: their reciprocals are not to overflow.
inline constexpr double kZeroDistance = 1e-290;

/// Solves for the memberships of one row: minimises sum_q d_q a_q^2 + b_q a_q over a_q >= 0,
/// sum_q a_q = 1. The solution is a_q = max(0, (kappa - b_q) / (2 d_q)), with kappa found among the
/// sorted b_q, where memberships leave 0; if none is clipped it is eq. 4.15 of the thesis. If some
/// d_q = 0, kappa is at most the smallest of their b_q, and the clusters that have it share what
/// the others leave.
class SimplexMemberships {
 public:
  explicit SimplexMemberships(Index n_clusters) : order_(n_clusters) {}

  /// d >= 0, b and the memberships a have one entry per cluster.
  void solve(std::span<const double> d, std::span<const double> b, std::span<double> a);

 private:
  void solve_positive(Index count, std::span<const double> d, std::span<const double> b,
                      std::span<double> a);

  std::vector<Index> order_;
};

}  // namespace tamis
