#pragma once

#include "clustering/kmeans/kmeans_plan.hpp"
#include "tamis/core/options.hpp"

/// What seeded and constrained k-means share: both begin at the means of the labeled classes.
namespace tamis {

template <class Options>
constexpr auto class_start_fields() {
  return field_list(
      field("n_clusters", &Options::n_clusters, at_least(1),
            "number of clusters; auto: that of the labeled classes"),
      field("restarts", &Options::restarts, at_least(1),
            "starts of which the best result counts, if there are more clusters than classes"),
      field("max_iter", &Options::max_iter, at_least(1), "most times that the centroids move"));
}

/// @throws InvalidArgument if an option is out of range
template <class Options>
KmeansPlan class_start_plan(const Options& options, ClassUse classes) {
  check_ranges(options.info.name, options);
  return {.info = options.info,
          .n_clusters = options.n_clusters,
          .restarts = options.restarts,
          .max_iter = options.max_iter,
          .classes = classes};
}

}  // namespace tamis
