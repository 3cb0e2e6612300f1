#pragma once

#include <span>

#include "evaluation/results.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// How well the clusters of k-means (k-means++, the best objective of ten starts), as many as there
/// are classes in all, agree with the classes of the rows, on the first lengths[0], lengths[1], ...
/// columns, which lie without gaps; lengths ascend.
KmeansResult kmeans_agreement(const DenseView<double>& columns, std::span<const Index> classes,
                              Index n_classes, std::span<const Index> lengths, const Run& run);

}  // namespace tamis
