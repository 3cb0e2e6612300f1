#include "graphs/smallest_keys.hpp"

#include <algorithm>
#include <bit>

#include "core/lanes.hpp"

namespace tamis {
namespace {

/// Of an entry, the bits of its position.
constexpr std::int32_t kPosition = SmallestKeys::kMostRows - 1;
/// Infinite: no entry is larger.
constexpr std::int32_t kNoEntry = 0x7f800000 | kPosition;

/// Writes the `count` smallest entries of as many rows as a register holds in their order, one
/// below the other. Each entry sinks through those found so far, which stay in registers. The bits
/// of keys, which are not negative, order like integers.
template <Index count, class Cpu>
TAMIS_INLINE void find_smallest(const std::int32_t* keys, Index rows, Index stride,
                                std::int32_t* entries) {
  using Entries = Lanes<std::int32_t, kRegisterLanes<std::int32_t, Cpu>, Cpu>;
  Entries found[count];
#pragma GCC unroll 32
  for (Index s = 0; s < count; ++s) found[s] = Entries::of(kNoEntry);
  for (Index j = 0; j < rows; ++j) {
    Entries entry = (Entries::load(keys + j * stride) & ~kPosition) | static_cast<std::int32_t>(j);
#pragma GCC unroll 32
    for (Index s = 0; s < count; ++s) {
      const Entries kept = smaller(entry, found[s]);
      entry = larger(entry, found[s]);
      found[s] = kept;
    }
  }
#pragma GCC unroll 32
  for (Index s = 0; s < count; ++s) found[s].store(entries + s * stride);
}

/// The same for all rows; there is room for `count` entries of each.
template <Index count>
void find_smallest_of_all(const float* keys, Index rows, Index stride, std::int32_t* entries) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    // Keys are symmetric: those of a row with all others are a column, too.
    const auto* const bits = reinterpret_cast<const std::int32_t*>(keys);
    for (Index from = 0; from < rows; from += kRegisterLanes<std::int32_t, Cpu>)
      find_smallest<count, Cpu>(bits + from, rows, stride, entries + from);
  });
}

/// Leaves the positions of the first `count` entries of each row, ascending.
void sort_positions(Index count, Index stride, std::int32_t* entries) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index i = 0; i < count * stride; ++i) entries[i] &= kPosition;
    for (Index a = 0; a < count; ++a)
      for (Index b = a + 1; b < count; ++b) {
        std::int32_t* const low = entries + a * stride;
        std::int32_t* const high = entries + b * stride;
        for (Index i = 0; i < stride; ++i) {
          const std::int32_t one = low[i];
          const std::int32_t other = high[i];
          low[i] = std::min(one, other);
          high[i] = std::max(one, other);
        }
      }
  });
}

float key_of(std::int32_t bits) { return std::bit_cast<float>(bits); }

}  // namespace

SmallestKeys::SmallestKeys(const float* keys, Index rows, Index stride, Index chosen)
    : stride_(stride), chosen_(chosen), last_(stride) {
  constexpr Index kCounts[] = {6, 11, 16, kMostChosen + 1};
  const Index count = *std::ranges::lower_bound(kCounts, chosen + 1);
  entries_.resize(count * stride);
  std::int32_t* const entries = entries_.data();
  if (count == kCounts[0])
    find_smallest_of_all<kCounts[0]>(keys, rows, stride, entries);
  else if (count == kCounts[1])
    find_smallest_of_all<kCounts[1]>(keys, rows, stride, entries);
  else if (count == kCounts[2])
    find_smallest_of_all<kCounts[2]>(keys, rows, stride, entries);
  else
    find_smallest_of_all<kCounts[3]>(keys, rows, stride, entries);
  std::copy_n(entries + (chosen - 1) * stride, stride, last_.data());
  sort_positions(chosen, stride, entries);
}

float SmallestKeys::most_of_chosen(Index row) const { return key_of(last_[row] | kPosition); }

float SmallestKeys::least_of_rest(Index row) const {
  return key_of(entries_[chosen_ * stride_ + row] & ~kPosition);
}

}  // namespace tamis
