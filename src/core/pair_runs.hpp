#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Pairs grouped by their first row, weights in the precision of the table: the form in which the
/// dense kernel reads them. A run is short, so that it may be summed in that precision.
template <class T>
struct PairRuns {
  static constexpr Index kLongestRun = 16;
  /// How many partners ahead of its turn a row is fetched; as many entries follow the last one.
  static constexpr Index kAhead = 16;

  struct Partner {
    Index row = 0;
    T weight = 0;
  };
  struct Run {
    Index row;
    Index begin;
    Index end;
  };
  std::vector<Run> runs;
  std::vector<Partner> partners;  ///< kAhead more than there are pairs
  double unit = 0.0;  ///< the largest weight; weights are divided by it, so that float32 holds them

  explicit PairRuns(std::span<const RowPair> pairs) {
    for (const RowPair& pair : pairs) unit = std::max(unit, std::abs(pair.weight));
    if (unit == 0.0) unit = 1.0;
    partners.resize(pairs.size() + kAhead);
    std::ranges::transform(pairs, partners.begin(), [this](const RowPair& pair) {
      return Partner{pair.second, static_cast<T>(pair.weight / unit)};
    });
    const Index n = std::ssize(pairs);
    for (Index begin = 0, end = 0; begin < n; begin = end) {
      const Index row = pairs[begin].first;
      const Index last = std::min(n, begin + kLongestRun);
      for (end = begin + 1; end < last && pairs[end].first == row;) ++end;
      runs.push_back({row, begin, end});
    }
  }
};

}  // namespace tamis
