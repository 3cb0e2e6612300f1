#include "constraints/line_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tamis/core/parallel.hpp"

namespace tamis {

RowDistances::RowDistances(const MatrixView& x, std::vector<Index> rows)
    : rows_(std::move(rows)), values_(std::ssize(rows_) * std::ssize(rows_), 0.0) {
  constexpr Index kRowsAtOnce = 4;
  parallel_for(size(), kRowsAtOnce, [&](Index begin, Index end) {
    for (Index a = begin; a < end; ++a)
      for (Index b = 0; b < a; ++b)
        values_[a * size() + b] = values_[b * size() + a] = squared_distance(x, rows_[a], rows_[b]);
  });
}

Index RowDistances::place_of(Index row) const {
  return std::ranges::lower_bound(rows_, row) - rows_.begin();
}

/// With u = 2^-53 squared distances, and the sum of products that the position is by definition,
/// have a relative error below (m + 8)u, the latter of the root of |r - o|^2 |s - o|^2. That makes
/// less than 2(m + 8)u (|r - o|^2 + |s - o|^2 + |r - s|^2) / |s - o|^2; twice as much is on the
/// safe side.
LineEstimate estimate_on_line(double from_first, double length, double from_second, Index cols) {
  constexpr double kUnit = 0x1p-53;
  constexpr double kLeastLength = 1e-250;  // no square that counts has vanished
  if (length == 0.0) return {};
  const double share = static_cast<double>(cols + 8) * kUnit;
  const double position = 0.5 * (from_first + length - from_second) / length;
  const double error = 4.0 * share * (from_first + length + from_second) / length;
  if (!(length > kLeastLength) || !std::isfinite(error))
    return {.error = std::numeric_limits<double>::infinity()};
  if (position >= 1.0 + error) return {.position = 1.0};
  if (position <= -error) return {};
  return {.position = position, .error = error};
}

std::vector<Index> doubtful_estimates(std::span<const LineEstimate> estimates, double apart) {
  double worst = 0.0;
  std::vector<double> positions{0.0, 1.0};
  for (const LineEstimate& estimate : estimates) {
    positions.push_back(estimate.position);
    worst = std::max(worst, estimate.error);
  }
  std::ranges::sort(positions);
  const double reach = 2.0 * (worst + apart);
  std::vector<Index> doubtful;
  for (Index s = 0; s < std::ssize(estimates); ++s) {
    const auto [position, error] = estimates[s];
    if (error == 0.0) continue;
    const auto near = std::ranges::lower_bound(positions, position - reach);
    if (std::isinf(worst) ||
        std::ranges::upper_bound(near, positions.end(), position + reach) - near > 1)
      doubtful.push_back(s);
  }
  return doubtful;
}

}  // namespace tamis
