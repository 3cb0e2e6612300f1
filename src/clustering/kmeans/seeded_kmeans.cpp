#include "clustering/kmeans/seeded_kmeans.hpp"

#include "clustering/kmeans/class_start.hpp"
#include "clustering/kmeans/lloyd.hpp"

namespace tamis {

Clustering seeded_kmeans(const Problem& problem, const SeededKmeansOptions& options,
                         const ClusterGiven& given, const Run& run) {
  check_ranges(options.info.name, options);
  return cluster_from_classes(problem,
                              {.info = options.info,
                               .n_clusters = options.n_clusters,
                               .restarts = options.restarts,
                               .max_iter = options.max_iter,
                               .place_rows =
                                   [&](const Links&, Clustering& clustering) {
                                     return place_at_nearest(problem.matrix, clustering);
                                   }},
                              given, run);
}

}  // namespace tamis
