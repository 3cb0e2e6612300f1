#pragma once

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "support/sample.hpp"

namespace tamis::test {

/// Breiman's waves: columns 1 .. 19 tell the three classes apart, columns 0 and 20 .. 39 are noise;
/// the first `per_class` rows of each class keep their label.
inline Sample wave_sample(Index rows, Index per_class, std::uint64_t seed) {
  RandomStream random(seed);
  const auto triangle = [](double t) { return std::max(6.0 - std::abs(t - 11.0), 0.0); };
  const double shifts[3][2] = {{0.0, 4.0}, {0.0, -4.0}, {4.0, -4.0}};
  Sample sample{Dense(rows, 40), std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < rows; ++i) {
    const double share = random.uniform();
    for (Index r = 0; r < 40; ++r) {
      const auto t = static_cast<double>(r + 1);
      const double wave = r > 20 ? 0.0
                                 : share * triangle(t - shifts[i % 3][0]) +
                                       (1.0 - share) * triangle(t - shifts[i % 3][1]);
      sample.x(i, r) = wave + random.normal();
    }
    if (i < 3 * per_class) sample.labels[i] = i % 3;
  }
  return sample;
}

}  // namespace tamis::test
