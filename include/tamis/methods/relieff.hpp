#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct RelieffOptions {
  Index n_neighbors = 10;

  static constexpr MethodInfo info{
      .name = "relieff",
      .title = "ReliefF",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference = "Kononenko, Estimating attributes: analysis and extensions of RELIEF, ECML 1994",
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    return field_list(field("n_neighbors", &RelieffOptions::n_neighbors, at_least(1),
                            "nearest labeled rows of each class that a row is compared with"));
  }
};

/// Ranks features by how much more a row differs from its nearest rows of other classes than from
/// those of its own; higher is better. With delta_j(i, q) = |x_ij - x_qj| / range of column j,
///
///   W_j = 1/l sum_i [ sum_{c != c_i} P(c) / (1 - P(c_i)) mean_{q in M_ic} delta_j(i, q)
///                     - mean_{h in H_i} delta_j(i, h) ]
///
/// over the l labeled rows, H_i and M_ic being the k nearest labeled rows, by sum_j delta_j, of the
/// own class and of class c, or those that exist. Two classes and k = 1: Relief.
///
/// Deterministic; O(l^2 m), a few rows against all at a time, so never l x l memory. Distances
/// within 1e-10 (relative) tie: the lower row is nearer. A constant column is undefined; one that
/// is constant over the labeled rows alone scores 0.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, or every column is constant there
Ranking relieff(const Problem& problem, const RelieffOptions& options = {}, const Run& run = {});

}  // namespace tamis
