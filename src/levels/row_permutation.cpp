#include "levels/row_permutation.hpp"

#include <bit>

#include "core/random.hpp"

namespace tamis {

RowPermutation::RowPermutation(Index n, std::uint64_t seed, std::uint64_t stream)
    : n_(static_cast<std::uint64_t>(n)),
      half_bits_(static_cast<int>(std::bit_width(n_ - 1) + 1) / 2) {
  RandomStream random(seed, stream);
  for (std::uint64_t& key : keys_) key = random.bits();
}

std::uint64_t RowPermutation::shuffled(std::uint64_t place) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = place >> half_bits_;
  std::uint64_t right = place & mask;
  for (const std::uint64_t key : keys_) {
    std::uint64_t mixed = (right ^ key) * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93ULL;
    const std::uint64_t next = left ^ ((mixed >> 32) & mask);
    left = right;
    right = next;
  }
  return (left << half_bits_) | right;
}

}  // namespace tamis
