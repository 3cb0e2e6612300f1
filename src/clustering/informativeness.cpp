#include "clustering/informativeness.hpp"

#include <algorithm>
#include <vector>

namespace tamis {
namespace {

Index pairs_within(Index n) { return n * (n - 1) / 2; }

}  // namespace

Violations violations(const ConstraintSet& constraints, std::span<const Index> clusters) {
  Violations broken;
  const Index n_clusters = clusters.empty() ? 0 : std::ranges::max(clusters) + 1;
  std::vector<Index> seen(n_clusters, 0);  // labeled rows of the classes before, by cluster
  for (const std::vector<Index>& rows : constraints.classes()) {
    std::vector<Index> here(n_clusters, 0);
    for (const Index row : rows) ++here[clusters[row]];
    broken.must_link += pairs_within(std::ssize(rows));
    for (Index q = 0; q < n_clusters; ++q) {
      broken.must_link -= pairs_within(here[q]);
      broken.cannot_link += here[q] * seen[q];
      seen[q] += here[q];
    }
  }
  for (const RowPair& pair : constraints.extra_must_link())
    broken.must_link += clusters[pair.first] != clusters[pair.second] ? 1 : 0;
  for (const RowPair& pair : constraints.extra_cannot_link())
    broken.cannot_link += clusters[pair.first] == clusters[pair.second] ? 1 : 0;
  return broken;
}

double informativeness(const ConstraintSet& constraints, std::span<const Index> clusters) {
  const Index all = constraints.n_must_link() + constraints.n_cannot_link();
  if (all == 0) return 0.0;
  const Violations broken = violations(constraints, clusters);
  return static_cast<double>(broken.must_link + broken.cannot_link) / static_cast<double>(all);
}

}  // namespace tamis
