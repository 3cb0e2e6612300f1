#include "clustering/kmeans/constrained_kmeans.hpp"

namespace tamis {

KmeansPlan plan_of(const ConstrainedKmeansOptions& options) {
  check_ranges(options.info.name, options);
  return {.info = options.info,
          .n_clusters = options.n_clusters,
          .restarts = options.restarts,
          .max_iter = options.max_iter,
          .classes = ClassUse::binding};
}

Clustering constrained_kmeans(const Problem& problem, const ConstrainedKmeansOptions& options,
                              const ClusterGiven& given, const Run& run) {
  return cluster_by_means(problem, plan_of(options), given, run);
}

}  // namespace tamis
