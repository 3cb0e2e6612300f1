#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// A stream of random numbers that depends on (seed, stream) alone: member b of an ensemble draws
/// from RandomStream(seed, b), whatever thread runs it. xoshiro256** seeded by splitmix64; the
/// distributions are our own because the standard library's differ between implementations.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  double uniform();          ///< in [0, 1), 53 random bits
  double normal();           ///< mean 0, variance 1 (polar method)
  Index below(Index bound);  ///< uniform in 0 .. bound - 1, without bias

  /// `count` distinct numbers of 0 .. n - 1 in random order.
  std::vector<Index> sample(Index n, Index count);
  void shuffle(std::span<Index> items);

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace tamis
