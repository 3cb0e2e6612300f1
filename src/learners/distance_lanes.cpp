#include "learners/distance_lanes.hpp"

#include <algorithm>
#include <limits>

#include "core/lanes.hpp"

namespace tamis {

double add_squared_differences(const double* columns, Index stride, std::span<const double> point,
                               Index n, double* distances, double* least) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = Lanes<double, kDistanceLanes, decltype(cpu)>;
    auto minima = Vector::of(std::numeric_limits<double>::infinity());
    for (Index j = 0; j < n; j += kDistanceLanes) {
      Vector sums = Vector::load(distances + j);
      for (Index k = 0; k < std::ssize(point); ++k) {
        const Vector difference = Vector::load(columns + k * stride + j) - point[k];
        sums = sums + difference * difference;
      }
      sums.store(distances + j);
      minima = smaller(sums, minima);
    }
    minima.store(least);
    return *std::min_element(least, least + kDistanceLanes);
  });
}

Index first_at_most(const double* distances, Index n, const double* least, double bound) {
  Index first = n;
  for (Index l = 0; l < kDistanceLanes; ++l) {
    if (!(least[l] <= bound)) continue;
    Index j = l;
    while (!(distances[j] <= bound)) j += kDistanceLanes;
    first = std::min(first, j);
  }
  return first;
}

}  // namespace tamis
