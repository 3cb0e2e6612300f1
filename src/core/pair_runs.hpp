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
    partners.reserve(pairs.size() + kAhead);
    for (const RowPair& pair : pairs) {
      const Index place = std::ssize(partners);
      if (runs.empty() || runs.back().row != pair.first || place - runs.back().begin == kLongestRun)
        runs.push_back({pair.first, place, place});
      partners.push_back({pair.second, static_cast<T>(pair.weight / unit)});
      runs.back().end = place + 1;
    }
    partners.resize(partners.size() + kAhead, Partner{});
  }
};

}  // namespace tamis
