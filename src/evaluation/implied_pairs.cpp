#include "evaluation/implied_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace tamis {
namespace {

std::vector<Index> labeled_places(std::span<const Index> labels) {
  std::vector<Index> places;
  for (Index i = 0; i < std::ssize(labels); ++i)
    if (labels[i] != kUnlabeled) places.push_back(i);
  return places;
}

Index pairs_among(Index n) { return n * (n - 1) / 2; }

/// Pair number 0, 1, 2, ... of (0, 1), (0, 2), (1, 2), (0, 3), ...
RowPair numbered_pair(Index number) {
  auto later = static_cast<Index>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(number))) / 2.0);
  while (pairs_among(later) > number) --later;  // where the root was rounded up
  while (pairs_among(later + 1) <= number) ++later;
  return {.first = number - pairs_among(later), .second = later};
}

}  // namespace

Index n_implied_pairs(std::span<const Index> labels) {
  return pairs_among(std::ssize(labeled_places(labels)));
}

PairConstraints implied_pairs(std::span<const Index> labels, Index count, std::uint64_t seed) {
  const std::vector<Index> rows = labeled_places(labels);
  const Index all = pairs_among(std::ssize(rows));
  PairConstraints pairs;
  for (const Index number : RandomStream(seed, 0).sample(all, std::min(count, all))) {
    const RowPair places = numbered_pair(number);
    const RowPair pair{.first = rows[places.first], .second = rows[places.second]};
    (labels[pair.first] == labels[pair.second] ? pairs.must_link : pairs.cannot_link)
        .push_back(pair);
  }
  return pairs;
}

}  // namespace tamis
