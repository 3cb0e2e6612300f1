#include "clustering/kmeans/constrained_kmeans.hpp"

#include <numeric>

#include "clustering/kmeans/class_start.hpp"
#include "clustering/kmeans/lloyd.hpp"

namespace tamis {
namespace {

/// The rows of a class stay in its cluster; other groups are free.
double place_rows(const MatrixView& x, const Links& links, Clustering& clustering) {
  std::vector<Index> group_clusters(links.n_groups(), kNoCluster);
  std::iota(group_clusters.begin(), group_clusters.begin() + links.n_classes(), Index{0});
  return place_with_groups(x, links, group_clusters,
                           nearest_centers(x, all_indices(x.rows()), clustering.centroids),
                           clustering);
}

}  // namespace

Clustering constrained_kmeans(const Problem& problem, const ConstrainedKmeansOptions& options,
                              const ClusterGiven& given, const Run& run) {
  check_ranges(options.info.name, options);
  return cluster_from_classes(problem,
                              {.info = options.info,
                               .n_clusters = options.n_clusters,
                               .restarts = options.restarts,
                               .max_iter = options.max_iter,
                               .place_rows =
                                   [&](const Links& links, Clustering& clustering) {
                                     return place_rows(problem.matrix, links, clustering);
                                   }},
                              given, run);
}

}  // namespace tamis
