#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/cpu.hpp"
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
  double unit = 1.0;  ///< the largest weight; weights are divided by it, so that float32 holds them

  explicit PairRuns(std::span<const RowPair> pairs) {
    double largest = 0.0;
    for (const RowPair& pair : pairs) largest = std::max(largest, std::abs(pair.weight));
    if (largest > 0.0) unit = largest;
    fill_partners(pairs);
    fill_runs(pairs);
  }

 private:
  /// Many weights are divided at once.
  void fill_partners(std::span<const RowPair> pairs) {
    constexpr Index kAtOnce = 64;
    partners.resize(pairs.size() + kAhead);
    for (Index from = 0; from < std::ssize(pairs); from += kAtOnce) {
      const Index count = std::min(kAtOnce, std::ssize(pairs) - from);
      std::array<double, kAtOnce> weights{};
      for (Index s = 0; s < count; ++s) weights[s] = pairs[from + s].weight;
      for_this_cpu([&weights, by = unit](auto) TAMIS_KERNEL {
        for (double& weight : weights) weight /= by;
      });
      for (Index s = 0; s < count; ++s)
        partners[from + s] = {pairs[from + s].second, static_cast<T>(weights[s])};
    }
  }

  void fill_runs(std::span<const RowPair> pairs) {
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
