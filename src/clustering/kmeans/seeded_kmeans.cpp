#include "clustering/kmeans/seeded_kmeans.hpp"

namespace tamis {

KmeansPlan plan_of(const SeededKmeansOptions& options) {
  check_ranges(options.info.name, options);
  return {.info = options.info,
          .n_clusters = options.n_clusters,
          .restarts = options.restarts,
          .max_iter = options.max_iter,
          .classes = ClassUse::start};
}

Clustering seeded_kmeans(const Problem& problem, const SeededKmeansOptions& options,
                         const ClusterGiven& given, const Run& run) {
  return cluster_by_means(problem, plan_of(options), given, run);
}

}  // namespace tamis
