#pragma once

#include "graphs/gram_source.hpp"

namespace tamis {

/// Products of sparse rows by an inverted index; columns so dense that a matrix product is faster
/// are kept as a dense block.
template <class T>
std::unique_ptr<GramSource> sparse_gram_source(const CsrView<T>& x, std::span<const Index> among);

}  // namespace tamis
