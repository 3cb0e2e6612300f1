#include "clustering/kmeans/kmeans.hpp"

namespace tamis {

KmeansPlan plan_of(const KmeansOptions& options) {
  check_ranges(options.info.name, options);
  return {.info = options.info,
          .n_clusters = options.n_clusters,
          .start = options.start,
          .restarts = options.restarts,
          .max_iter = options.max_iter,
          .classes = ClassUse::none};
}

Clustering kmeans(const Problem& problem, const KmeansOptions& options, const ClusterGiven& given,
                  const Run& run) {
  return cluster_by_means(problem, plan_of(options), given, run);
}

}  // namespace tamis
