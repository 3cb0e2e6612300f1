#pragma once

#include <algorithm>
#include <vector>

#include "prepare/row_sample.hpp"
#include "streaming/conversation.hpp"

namespace tamis {

/// Rows among which centroids are drawn: the known ones and so many others, more for many clusters.
inline std::vector<Index> rows_to_begin_at(const StreamedProblem& problem, Index n_clusters,
                                           std::uint64_t seed) {
  return sample_rows(problem.known, problem.rows, std::max<Index>(2000, 20 * n_clusters), seed);
}

}  // namespace tamis
