#pragma once

#include <array>
#include <optional>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct L2gfsOptions {
  double beta = -0.1;
  std::optional<Index> n_clusters = std::nullopt;
  Index restarts = 10;
  Index max_iter = 100;
  RankBy rank_by = RankBy::weight;

  static constexpr std::array kPaper{OptionSetting{"restarts", "20"}};
  static constexpr MethodInfo info{
      .name = "l2gfs",
      .title = "Local-to-global feature selection",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Hindawi, Benabdeslem, Local-to-global semi-supervised feature selection, CIKM 2013",
      .draws = true,
      .paper = kPaper,
      .streams = Streams::passes};
  static constexpr ClustererInfo clusterer{.name = info.name,
                                           .title = info.title,
                                           .reference = info.reference,
                                           .learns = Learns::weights_of_clusters,
                                           .hard_pairs_only = true,
                                           .streams = true};
  static constexpr auto fields() {
    using Self = L2gfsOptions;
    return field_list(
        field("beta", &Self::beta,
              "power of the weights in distances: < 0 or > 1; close to 1 few features take all the "
              "weight"),
        field("n_clusters", &Self::n_clusters, at_least(1),
              "number of clusters; auto: that of the labeled classes"),
        field("restarts", &Self::restarts, at_least(1),
              "random starts over which the weights are averaged"),
        field("max_iter", &Self::max_iter, at_least(1), "most iterations of a run"),
        field("rank_by", &Self::rank_by,
              "a feature's weight, or that to the power of beta, which multiplies its differences "
              "in distances"));
  }
};

/// Ranks features by the weights that a k-means with must-links and cannot-links learns for each
/// cluster, averaged over the clusters (thesis eq. 4.37); higher is better. Each iteration places
/// the rows (eq. 4.26), each at the nearest cluster by
///   sum_j w_qj^beta (x_ij - c_qj)^2
/// that breaks no link with rows placed before it in the iteration, or else breaks the fewest; then
/// centroids become means (eq. 4.27) and weights follow from the dispersion in the cluster (eq.
/// 4.28). Labels and pairs are closed transitively. It ends when no row changes its cluster.
/// Placing rows in order can raise the objective, so that a run may go in a circle: it ends at the
/// first assignment that comes again, with the best one visited, as it does at max_iter.
///
/// A feature that takes a single value in every cluster has no weight in any: it comes first, with
/// the score +inf, if all these values differ, and is rejected (undefined) if some are equal. Over
/// several runs +inf wins, and a rejection counts as 0 unless all reject it. A constant column is
/// undefined.
///
/// Restart r draws its start from stream r of the problem's seed; the result does not depend on the
/// number of threads. O(restarts x iterations x rows x clusters x columns). Memory for a few
/// numbers per row. Figures: clusters, best_run, objective, violations, and the objective and
/// iterations of each run.
/// @throws InvalidArgument if an option is out of range or 0 <= beta <= 1
/// @throws DataError for fewer rows than clusters, fewer clusters than labeled classes, neither
/// labels nor n_clusters, or labels and pairs that contradict
Ranking l2gfs(const Problem& problem, const L2gfsOptions& options = {}, const Run& run = {});

/// The clustering itself, with weights of each cluster and column: the run with the smallest
/// objective, or the one from a given start. The objective of an iteration is that of its end.
/// Without given weights all are alike; weights of the columns alone are those of every cluster.
Clustering l2gfs_clustering(const Problem& problem, const L2gfsOptions& options = {},
                            const ClusterGiven& given = {}, const Run& run = {});

}  // namespace tamis
