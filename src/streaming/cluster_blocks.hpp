#pragma once

#include <algorithm>

#include "tamis/core/index.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {

/// Calls visit(cluster, first column, number of columns) for the columns of all clusters, some at
/// once and several at a time: so few columns that clusters of narrow tables are shared out too.
template <class Visit>
void for_each_cluster_block(Index n_clusters, Index cols, const Visit& visit) {
  constexpr Index kColumnBlock = 128;
  const Index n_blocks = (cols + kColumnBlock - 1) / kColumnBlock;
  const Index tasks = n_clusters * n_blocks;
  parallel_for(tasks, 1 + tasks / 256, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index first = task % n_blocks * kColumnBlock;
      visit(task / n_blocks, first, std::min(kColumnBlock, cols - first));
    }
  });
}

}  // namespace tamis
