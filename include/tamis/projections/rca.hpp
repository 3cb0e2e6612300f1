#pragma once

#include "tamis/projections/cfld.hpp"

namespace tamis {

struct RcaOptions {
  Index n_components = 10;
  double ridge = 1e-3;

  static constexpr ProjectionInfo info{.name = "rca",
                                       .title = "Relevant component analysis",
                                       .supervision = Supervision::semi_supervised,
                                       .reference = kChunkletReference,
                                       .needs_must_links = true};
  static constexpr auto fields() { return chunklet_fields<RcaOptions>(); }
};

/// The directions of cfld, scaled to a'(S_w + e I)a = 1: rows of one chunklet spread alike in all
/// of them. With as many directions as the rank this whitens by (S_w + e I)^-1/2 up to a rotation,
/// so that distances of projected rows are those of RCA.
///
/// Cost and errors as of cfld.
Projection rca(const Problem& problem, const RcaOptions& options = {}, const Run& run = {});

}  // namespace tamis
