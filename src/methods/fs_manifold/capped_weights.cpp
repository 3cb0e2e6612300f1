#include "methods/fs_manifold/capped_weights.hpp"

#include <algorithm>
#include <numeric>

namespace tamis {

/// p = q - t within [0, 1]: their sum falls as t rises, so t is found by bisection.
std::vector<double> capped_weights(std::span<const double> q, Index total) {
  constexpr int kHalvings = 200;  // until low and high are neighbours
  const auto wanted = static_cast<double>(total);
  std::vector<double> p(q.size());
  const auto sum_at = [&](double t) {
    for (std::size_t r = 0; r < q.size(); ++r) p[r] = std::clamp(q[r] - t, 0.0, 1.0);
    return std::accumulate(p.begin(), p.end(), 0.0);
  };
  double low = std::ranges::min(q) - 1.0;
  double high = std::ranges::max(q);
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (sum_at(middle) >= wanted ? low : high) = middle;
  }
  sum_at(low);
  return p;
}

double weight_gap(std::span<const double> p, std::span<const double> gradient, Index total) {
  std::vector<double> smallest(gradient.begin(), gradient.end());
  std::ranges::sort(smallest);
  return std::inner_product(p.begin(), p.end(), gradient.begin(), 0.0) -
         std::accumulate(smallest.begin(), smallest.begin() + total, 0.0);
}

}  // namespace tamis
