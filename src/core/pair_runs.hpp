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
  double unit;  ///< the largest weight; weights are divided by it, so that float32 holds them

  explicit PairRuns(std::span<const RowPair> pairs) : unit(largest_weight(pairs)) {
    partners.resize(pairs.size() + kAhead);
    Run run{.row = -1, .begin = 0, .end = 0};
    const Index n = std::ssize(pairs);
    for (Index s = 0; s < n; ++s) {
      const RowPair& pair = pairs[s];
      partners[s] = {pair.second, static_cast<T>(pair.weight / unit)};
      if (pair.first == run.row && s - run.begin < kLongestRun) continue;
      end_run(run, s);
      run.row = pair.first;
    }
    end_run(run, n);
  }

 private:
  static double largest_weight(std::span<const RowPair> pairs) {
    double largest = 0.0;
    for (const RowPair& pair : pairs) largest = std::max(largest, std::abs(pair.weight));
    return largest > 0.0 ? largest : 1.0;
  }
  /// Begins the next one there.
  void end_run(Run& run, Index end) {
    run.end = end;
    if (run.end > run.begin) runs.push_back(run);
    run.begin = end;
  }
};

}  // namespace tamis
