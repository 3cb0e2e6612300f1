#include "learners/distance_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/simd.hpp"

namespace tamis {
namespace {

/// Lanes of a vector, and vectors that are computed on at once.
constexpr Index kWidth = 4;
constexpr Index kVectors = kDistanceLanes / kWidth;

/// Written as vectors: of a loop over lanes the compiler leaves the minima scalar.
using Vector [[gnu::vector_size(kWidth * sizeof(double))]] = double;

TAMIS_INLINE void keep_smaller(Vector& kept, const Vector& other) {
  kept = other < kept ? other : kept;
}

/// distances += (values - value)^2 in one vector, and keeps the smallest.
TAMIS_INLINE void add_lanes(const double* values, double value, double* distances,
                            Vector& smallest) {
  Vector difference;
  Vector sums;
  std::memcpy(&difference, values, sizeof(difference));
  std::memcpy(&sums, distances, sizeof(sums));
  difference -= value;
  sums += difference * difference;
  std::memcpy(distances, &sums, sizeof(sums));
  keep_smaller(smallest, sums);
}

}  // namespace

/// Several vectors at a time: minima need not wait for each other.
TAMIS_MULTIVERSION double add_squared_differences(const double* values, double value, Index n,
                                                  double* distances, double* least) {
  Vector minima[kVectors];
  for (Vector& lanes : minima) lanes = Vector{} + std::numeric_limits<double>::infinity();
  for (Index j = 0; j < n; j += kDistanceLanes)
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v)
      add_lanes(values + j + v * kWidth, value, distances + j + v * kWidth, minima[v]);
  std::memcpy(least, minima, sizeof(minima));
  keep_smaller(minima[0], minima[1]);
  keep_smaller(minima[2], minima[3]);
  keep_smaller(minima[0], minima[2]);
  const double left = std::min(minima[0][0], minima[0][1]);
  const double right = std::min(minima[0][2], minima[0][3]);
  return std::min(left, right);
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
