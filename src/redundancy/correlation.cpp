#include "redundancy/correlation.hpp"

#include <algorithm>
#include <numeric>

#include "redundancy/scaled_columns.hpp"

namespace tamis {
namespace {

double n_pairs(Index h) { return 0.5 * static_cast<double>(h) * static_cast<double>(h - 1); }

}  // namespace

std::vector<double> absolute_correlations(const MatrixView& x, std::span<const Index> columns,
                                          std::span<const PositionPair> pairs) {
  return absolute_correlations(ScaledColumns(x, columns), pairs);
}

double mean_absolute_correlation(const MatrixView& x, std::span<const Index> columns) {
  constexpr std::size_t kPairsAtOnce = std::size_t{1} << 22;  // 100 MB
  constexpr Index kTile = 32;  // columns that stay in cache while all others pass by
  const Index h = std::ssize(columns);
  if (h < 2) return 0.0;
  const ScaledColumns scaled(x, columns);
  double total = 0.0;
  std::vector<PositionPair> pairs;
  for (Index first = 0; first < h; first += kTile) {
    for (Index a = first + 1; a < h; ++a)
      for (Index b = first; b < std::min(a, first + kTile); ++b) pairs.push_back({a, b});
    if (pairs.size() < kPairsAtOnce && first + kTile < h) continue;
    const std::vector<double> values = absolute_correlations(scaled, pairs);
    total += std::accumulate(values.begin(), values.end(), 0.0);
    pairs.clear();
  }
  return total / n_pairs(h);
}

double mean_absolute_correlation(std::span<const Index> columns,
                                 const std::function<double(Index, Index)>& correlation) {
  const Index h = std::ssize(columns);
  double total = 0.0;
  for (Index a = 1; a < h; ++a)
    for (Index b = 0; b < a; ++b) total += correlation(columns[a], columns[b]);
  return h < 2 ? 0.0 : total / n_pairs(h);
}

double redundancy_rate(const MatrixView& x, std::span<const Index> columns) {
  return 0.5 * mean_absolute_correlation(x, columns);
}

}  // namespace tamis
