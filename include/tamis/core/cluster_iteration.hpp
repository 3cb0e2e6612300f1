#pragma once

#include "tamis/core/fields.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// What one iteration of a clustering did. The first places the rows at the start, each further one
/// moves the centroids (and weights) and places the rows again.
struct ClusterIteration {
  double objective = 0.0;
  Index changed = 0;                 ///< rows that changed their (most likely) cluster
  Index must_link_violations = 0;    ///< must-linked rows in different clusters
  Index cannot_link_violations = 0;  ///< cannot-linked rows in the same cluster

  static constexpr auto fields() {
    using Self = ClusterIteration;
    return field_list(named("objective", &Self::objective), named("changed", &Self::changed),
                      named("must_link_violations", &Self::must_link_violations),
                      named("cannot_link_violations", &Self::cannot_link_violations));
  }
};

}  // namespace tamis
