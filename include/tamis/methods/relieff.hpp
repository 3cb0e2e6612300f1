#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct RelieffOptions {
  Index n_neighbors = 10;
  double rank_decay = 20.0;

  static constexpr MethodInfo info{
      .name = "relieff",
      .title = "ReliefF, and RReliefF for a numeric target",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference =
          "Kononenko, Estimating attributes: analysis and extensions of RELIEF, ECML 1994; "
          "Robnik-Sikonja, Kononenko, Theoretical and empirical analysis of ReliefF and RReliefF, "
          "Machine Learning 53, 2003",
      .takes_values = true,
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = RelieffOptions;
    return field_list(field("n_neighbors", &Self::n_neighbors, at_least(1),
                            "nearest known rows that a row is compared with, of each class if "
                            "classes are known"),
                      field("rank_decay", &Self::rank_decay, positive(),
                            "how slowly near rows lose weight with their rank, for a numeric "
                            "target only"));
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
/// With a numeric target tau (and no classes): RReliefF. The k nearest rows of each known row have
/// the weights d = exp(-(rank / rank_decay)^2), scaled to sum 1, delta_tau = |tau_i - tau_q| /
/// range, and
///
///   W_j = N_Cj / N_C - (N_j - N_Cj) / (l - N_C),
///
/// N_C = sum d delta_tau, N_j = sum d delta_j, N_Cj = sum d delta_tau delta_j.
///
/// Deterministic; O(l^2 m), a few rows against all at a time, so never l x l memory. Distances
/// within 1e-10 (relative) tie: the lower row is nearer. A constant column is undefined; one that
/// is constant over the known rows alone scores 0.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows and no numeric target is known, if
/// it is always the same, or every column is constant there
Ranking relieff(const Problem& problem, const RelieffOptions& options = {}, const Run& run = {});

}  // namespace tamis
