#include "methods/relevance/false_discovery.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/core/matrix.hpp"

namespace tamis {

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<Index> order = all_indices(std::ssize(p));
  std::ranges::stable_sort(order, {}, [&](Index s) { return p[s]; });
  std::vector<double> q(p.size());
  double least = 1.0;
  for (Index place = std::ssize(p); place > 0; --place) {
    const Index s = order[place - 1];
    least = std::min(least, p[s] * static_cast<double>(p.size()) / static_cast<double>(place));
    q[s] = least;
  }
  return q;
}

Index forward_stop(std::span<const double> p, double fdr) {
  Index count = 0;
  double sum = 0.0;
  for (Index k = 1; k <= std::ssize(p); ++k) {
    sum -= std::log1p(-p[k - 1]);
    if (sum <= fdr * static_cast<double>(k)) count = k;
  }
  return count;
}

}  // namespace tamis
