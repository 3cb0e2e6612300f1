#include "clustering/weighted/simplex_memberships.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

/// Keeps the sum at 1 where kappa - b_q cancels.
void normalize(std::span<double> a) {
  const double sum = std::accumulate(a.begin(), a.end(), 0.0);
  for (double& share : a) share /= sum;
}

}  // namespace

void SimplexMemberships::solve(std::span<const double> d, std::span<const double> b,
                               std::span<double> a) {
  const Index n = std::ssize(d);
  Index positive = 0;
  Index at_least_b = 0;  // clusters without distance that have the smallest b
  double limit = HUGE_VAL;
  for (Index q = 0; q < n; ++q) {
    a[q] = 0.0;
    if (d[q] >= kZeroDistance) {
      order_[positive++] = q;
    } else {
      at_least_b = b[q] < limit ? 1 : at_least_b + (b[q] == limit ? 1 : 0);
      limit = std::min(limit, b[q]);
    }
  }
  if (at_least_b == 0) return solve_positive(positive, d, b, a);
  double taken = 0.0;
  for (Index s = 0; s < positive; ++s) {
    const Index q = order_[s];
    a[q] = std::max(0.0, (limit - b[q]) / (2.0 * d[q]));
    taken += a[q];
  }
  if (taken >= 1.0) return solve_positive(positive, d, b, a);
  for (Index q = 0; q < n; ++q)
    if (d[q] < kZeroDistance && b[q] == limit)
      a[q] = (1.0 - taken) / static_cast<double>(at_least_b);
}

/// The clusters order_[0 .. count - 1] share everything.
void SimplexMemberships::solve_positive(Index count, std::span<const double> d,
                                        std::span<const double> b, std::span<double> a) {
  const std::span<Index> order = std::span(order_).first(count);
  std::ranges::sort(order,
                    [&](Index p, Index q) { return b[p] < b[q] || (b[p] == b[q] && p < q); });
  const double least = b[order[0]];
  double slope = 0.0;  // of the sum of memberships as a function of kappa
  double offset = 0.0;
  double kappa = 0.0;  // above `least`
  for (Index s = 0; s < count; ++s) {
    const Index q = order[s];
    if (s > 0 && kappa <= b[q] - least) break;
    slope += 1.0 / (2.0 * d[q]);
    offset += (b[q] - least) / (2.0 * d[q]);
    kappa = (1.0 + offset) / slope;
  }
  for (const Index q : order) a[q] = std::max(0.0, (kappa - (b[q] - least)) / (2.0 * d[q]));
  normalize(a);
}

}  // namespace tamis
