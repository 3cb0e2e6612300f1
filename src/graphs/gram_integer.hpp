#pragma once

#include "graphs/gram_source.hpp"

namespace tamis {

/// Rows as integers of 16 bits: coarser than float32, but nothing is lost in sums of products, and
/// CPUs that have instructions for them compute twice as many. Null if such integers cannot hold
/// the table.
template <class T>
std::unique_ptr<GramSource> integer_gram_source(const DenseView<T>& x,
                                                std::span<const Index> among);

}  // namespace tamis
