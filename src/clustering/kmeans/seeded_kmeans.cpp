#include "clustering/kmeans/seeded_kmeans.hpp"

namespace tamis {

KmeansPlan plan_of(const SeededKmeansOptions& options) {
  return class_start_plan(options, ClassUse::start);
}

Clustering seeded_kmeans(const Problem& problem, const SeededKmeansOptions& options,
                         const ClusterGiven& given, const Run& run) {
  return cluster_by_means(problem, plan_of(options), given, run);
}

}  // namespace tamis
