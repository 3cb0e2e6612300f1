#include "clustering/kmeans/constrained_kmeans.hpp"

namespace tamis {

KmeansPlan plan_of(const ConstrainedKmeansOptions& options) {
  return class_start_plan(options, ClassUse::binding);
}

Clustering constrained_kmeans(const Problem& problem, const ConstrainedKmeansOptions& options,
                              const ClusterGiven& given, const Run& run) {
  return cluster_by_means(problem, plan_of(options), given, run);
}

}  // namespace tamis
