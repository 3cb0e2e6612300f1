#include "core/adjacency.hpp"

namespace tamis {

Adjacency::Adjacency(Index rows, std::span<const RowPair> pairs)
    : offsets(rows + 1, 0), partners(2 * pairs.size()), weights(2 * pairs.size()) {
  for (const RowPair& pair : pairs) {
    ++offsets[pair.first + 1];
    ++offsets[pair.second + 1];
  }
  for (Index i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  for (const RowPair& pair : pairs) {
    weights[next[pair.first]] = weights[next[pair.second]] = pair.weight;
    partners[next[pair.first]++] = pair.second;
    partners[next[pair.second]++] = pair.first;
  }
}

}  // namespace tamis
