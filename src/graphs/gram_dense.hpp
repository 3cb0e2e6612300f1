#pragma once

#include "graphs/gram_source.hpp"

namespace tamis {

/// Rows are centred as they are copied into a worker's buffers: no second table. On badly centred
/// data float32 products lose the digits that tell neighbours apart.
template <class T>
std::unique_ptr<GramSource> dense_gram_source(const DenseView<T>& x, std::span<const Index> among);

}  // namespace tamis
