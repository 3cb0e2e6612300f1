#pragma once

#include <optional>

#include "clustering/kmeans/kmeans_plan.hpp"
#include "tamis/clustering/clustering.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

struct KmeansOptions {
  std::optional<Index> n_clusters = std::nullopt;
  KmeansStart start = KmeansStart::plus_plus;
  Index restarts = 10;
  Index max_iter = 100;

  static constexpr ClustererInfo info{
      .name = "kmeans",
      .title = "k-means",
      .reference =
          "Lloyd, Least squares quantization in PCM, IEEE Transactions on Information "
          "Theory 28, 1982; Arthur, Vassilvitskii, k-means++: the advantages of careful "
          "seeding, SODA 2007",
      .streams = true};
  static constexpr auto fields() {
    using Self = KmeansOptions;
    return field_list(
        field("n_clusters", &Self::n_clusters, at_least(1),
              "number of clusters; auto: that of the labeled classes"),
        field("start", &Self::start,
              "first centroids: rows far from each other (plus_plus), or any rows (random)"),
        field("restarts", &Self::restarts, at_least(1), "starts of which the best result counts"),
        field("max_iter", &Self::max_iter, at_least(1), "most times that the centroids move"));
  }
};

/// Lloyd's algorithm: each row goes to its nearest centroid (ties to the lower), each centroid to
/// the mean of its rows, until no row changes its cluster. An empty cluster keeps its centroid. The
/// result is that of the restart with the smallest objective, the sum of the squared distances of
/// rows and their centroids; ties to the first. Labels and pairs change nothing, but what the
/// clusters break of them is counted.
///
/// Restart r draws from stream r of the problem's seed; the result does not depend on the number of
/// threads. O(restarts x iterations x rows x clusters x columns); memory for a few numbers per row
/// and the centroids.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer rows than clusters, without a number of clusters and labels, if
/// labels and pairs contradict, or if what is given does not fit
Clustering kmeans(const Problem& problem, const KmeansOptions& options = {},
                  const ClusterGiven& given = {}, const Run& run = {});

/// What it is among its relatives. @throws InvalidArgument if an option is out of range
KmeansPlan plan_of(const KmeansOptions& options);

}  // namespace tamis
