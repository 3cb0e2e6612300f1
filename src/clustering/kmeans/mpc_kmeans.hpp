#pragma once

#include <optional>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

struct MpcKmeansOptions {
  std::optional<Index> n_clusters = std::nullopt;
  double penalty = 1.0;
  double variance_floor = 1e-3;
  Index restarts = 100;
  Index max_iter = 100;

  static constexpr ClustererInfo info{
      .name = "mpc_kmeans",
      .title = "Metric pairwise constrained k-means",
      .reference =
          "Bilenko, Basu, Mooney, Integrating constraints and metric learning in "
          "semi-supervised clustering, ICML 2004",
      .learns = Learns::weights_of_clusters};
  static constexpr auto fields() {
    using Self = MpcKmeansOptions;
    return field_list(
        field("n_clusters", &Self::n_clusters, at_least(1),
              "number of clusters; auto: that of the labeled classes"),
        field("penalty", &Self::penalty, at_least(0), "what a broken constraint costs"),
        field("variance_floor", &Self::variance_floor, positive(),
              "smallest variance in a cluster, as a fraction of the column's variance"),
        field("restarts", &Self::restarts, at_least(1),
              "starts and orders of the rows of which the best result counts"),
        field("max_iter", &Self::max_iter, at_least(1), "most times that the centroids move"));
  }
};

/// k-means that learns a diagonal metric A_h for each cluster h and pays for the constraints that
/// it breaks. With l_i the cluster of row i, |v|_A^2 = sum_j a_j v_j^2, it lowers
///
///   sum_i ( |x_i - c_{l_i}|^2_{A_{l_i}} - log det A_{l_i} )
///     + penalty sum over broken must-links of w_ir (|x_i - x_r|^2_{A_{l_i}} + |x_i -
///     x_r|^2_{A_{l_r}}) / 2
///     + penalty sum over broken cannot-links of w_ir (Dmax_h - |x_i - x_r|^2_{A_h}), h = l_i =
///     l_r,
///
/// w_ir being the weight of the pair and Dmax_h = sum_j a_hj (range of column j)^2: the bounding
/// box stands for the two most distant rows. Constraints are what labels and pairs say, closed
/// transitively. Each iteration places rows where they cost least, those with constraints one after
/// another (in the given order) while all others stay, and then sets centroids to means and a_hj =
/// n_h / S_hj, S_hj being what multiplies a_hj above; the variance S_hj / n_h is at least
/// variance_floor times that of the column, so a_hj has a ceiling. Weights of a start above it are
/// lowered to it; a column that is constant keeps weight 1. Each of these steps minimises the
/// objective over what it changes: it never rises from one iteration to the next, but for rounding.
/// In the first, rows look only at those placed before them. Ties to the lower cluster; an empty
/// cluster keeps its centroid and weights.
///
/// The start: means of the groups of must-linked rows (a labeled class is one, even of one row) and
/// weights 1. Of more groups than clusters, the largest, then always the one whose size times
/// distance from the nearest chosen one is greatest; to fewer, centroids are added as in k-means++
/// from the rows outside. Restarts after the first draw groups by size times distance instead, and
/// the order of the rows unless one is given: a row goes where those placed before it let it go.
/// They begin with the weights that the table would have as one cluster.
/// Restart r draws from stream r of the problem's seed.
///
/// The result does not depend on the number of threads. O(restarts x iterations x (rows x clusters
/// + must-links x clusters + cannot-links) x columns); memory for a few numbers per row, the
/// centroids and weights.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer clusters than labeled classes, fewer rows than clusters, no label
/// and no number of clusters, labels and pairs that contradict, or if what is given does not fit
Clustering mpc_kmeans(const Problem& problem, const MpcKmeansOptions& options = {},
                      const ClusterGiven& given = {}, const Run& run = {});

}  // namespace tamis
