#pragma once

#include <memory>
#include <span>

#include "graphs/gram_source.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// What narrows the neighbours of rows down: where the keys of pairs come from, and how many
/// candidates of each row are kept, so that rounding seldom pushes a neighbour out.
struct NeighborFilter {
  std::unique_ptr<GramSource> source;
  Index keep;
};

/// For the k nearest of each row: products that cost less, unless they would need so many more
/// candidates that they cost more.
NeighborFilter neighbor_filter(const MatrixView& x, std::span<const Index> among, Index k);

}  // namespace tamis
