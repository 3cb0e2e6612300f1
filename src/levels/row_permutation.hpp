#pragma once

#include <array>
#include <cstdint>

#include "tamis/core/index.hpp"

namespace tamis {

/// A random permutation of 0 .. n - 1 of which any part can be had without the rest: a Feistel
/// network on the least square of a power of two that holds n, taken again where it leads out
/// (Black, Rogaway, CT-RSA 2002).
class RowPermutation {
 public:
  RowPermutation(Index n, std::uint64_t seed, std::uint64_t stream);

  Index operator()(Index i) const {
    std::uint64_t place = static_cast<std::uint64_t>(i);
    do place = shuffled(place);
    while (place >= n_);
    return static_cast<Index>(place);
  }

 private:
  static constexpr int kRounds = 6;

  std::uint64_t shuffled(std::uint64_t place) const;

  std::uint64_t n_;
  int half_bits_;
  std::array<std::uint64_t, kRounds> keys_{};
};

}  // namespace tamis
