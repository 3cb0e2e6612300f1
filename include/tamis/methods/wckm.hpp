#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

enum class FeatureWeights { learned, fixed };
constexpr auto option_words(FeatureWeights) {
  return std::array{std::pair{std::string_view("learned"), FeatureWeights::learned},
                    std::pair{std::string_view("fixed"), FeatureWeights::fixed}};
}

struct WckmOptions {
  double beta = -0.1;
  double penalty = 1.0;
  std::optional<Index> n_clusters = std::nullopt;
  Index restarts = 10;
  Index max_iter = 200;
  RankBy rank_by = RankBy::weight;
  Membership membership = Membership::fuzzy;
  FeatureWeights weights = FeatureWeights::learned;

  static constexpr MethodInfo info{
      .name = "wckm",
      .title = "Weighted constrained k-means",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Hindawi, Feature selection for semi-supervised data analysis in decisional information "
          "systems, thesis, INSA Lyon 2013, section 4.3.1",
      .draws = true,
      .streams = Streams::passes};
  static constexpr ClustererInfo clusterer{.name = info.name,
                                           .title = info.title,
                                           .reference = info.reference,
                                           .learns = Learns::weights,
                                           .streams = true};
  static constexpr auto fields() {
    using Self = WckmOptions;
    return field_list(
        field("beta", &Self::beta,
              "power of the weights in distances: < 0 or > 1; close to 1 few features take all the "
              "weight"),
        field("penalty", &Self::penalty, at_least(0), "cost of a broken link"),
        field("n_clusters", &Self::n_clusters, at_least(1),
              "number of clusters; auto: that of the labeled classes"),
        field("restarts", &Self::restarts, at_least(1),
              "random starts over which the weights are averaged"),
        field("max_iter", &Self::max_iter, at_least(1), "most iterations of a run"),
        field("rank_by", &Self::rank_by,
              "a feature's weight, or that to the power of beta, which multiplies its differences "
              "in distances"),
        field("membership", &Self::membership,
              "a row shares itself among clusters, or belongs to one (without links: W-k-means)"),
        field("weights", &Self::weights,
              "learn the weights, or leave them all alike, to cluster only (without links: fuzzy "
              "c-means)"));
  }
};

/// Ranks features by the weights that a fuzzy k-means with must-links and cannot-links learns;
/// higher is better. Each run minimises, by turns over memberships a, centroids c and weights w,
///   sum_q sum_i a_iq^2 sum_j w_j^beta (x_ij - c_qj)^2
///     + penalty (sum_ML sum_{p != q} a_ip a_rq + sum_CL sum_p a_ip a_rp)
/// (thesis eq. 4.6-4.23), rows of memberships and the weights summing to 1. A row's memberships are
/// solved for exactly on the simplex; rows with links one after the other, so that the objective
/// never rises. With `membership` hard a row belongs to the cluster of the smallest d_q + b_q, d_q
/// its distance and b_q what its links cost there: without links that is W-k-means (Huang, Ng,
/// Rong, Li 2005). Labels and pairs are closed transitively. It ends when no row changes its most
/// likely cluster or no membership changes by 1e-6.
///
/// Restart r draws its start from stream r of the problem's seed; the result does not depend on the
/// number of threads. O(restarts x iterations x rows x clusters x columns). Memory for a few
/// numbers per row. Figures: best_run, objective, soft_violations (the penalised sum), hard
/// ones, and the objective and iterations of each run. A constant column is undefined.
/// @throws InvalidArgument if an option is out of range, 0 <= beta <= 1, or weights are fixed
/// @throws DataError for fewer rows than clusters, fewer clusters than labeled classes, neither
/// labels nor n_clusters, or labels and pairs that contradict
Ranking wckm(const Problem& problem, const WckmOptions& options = {}, const Run& run = {});

/// The clustering itself, with memberships: the run with the smallest objective, or the one from a
/// given start. The objective of an iteration is that of its end. Without given weights all are
/// alike; with `weights` fixed they stay so, which without links is fuzzy c-means (Bezdek 1981).
Clustering wckm_clustering(const Problem& problem, const WckmOptions& options = {},
                           const ClusterGiven& given = {}, const Run& run = {});

}  // namespace tamis
