#include "core/random.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

namespace tamis {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// What lies at each place of 0, 1, 2, ...: its own number, unless it was set. A hash table that
/// looks at the next slots for room; of the few places that a subspace moves none takes memory of
/// its own.
class MovedPlaces {
 public:
  explicit MovedPlaces(Index most)
      : slots_(std::bit_ceil(2 * static_cast<std::size_t>(most) + 1), Slot{}) {}

  Index at(Index place) const {
    const Slot& slot = slots_[slot_of(place)];
    return slot.place == place ? slot.item : place;
  }
  void set(Index place, Index item) { slots_[slot_of(place)] = {place, item}; }

 private:
  struct Slot {
    Index place = -1;
    Index item = 0;
  };

  /// Where the place is, or the free slot where it would be.
  std::size_t slot_of(Index place) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = (static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15ULL >> 32) & last;
    while (slots_[slot].place != place && slots_[slot].place >= 0) slot = (slot + 1) & last;
    return slot;
  }

  std::vector<Slot> slots_;
};

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t from_seed = seed;
  std::uint64_t mixed = splitmix64(from_seed) ^ (stream * 0xd1342543de82ef95ULL);
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double RandomStream::normal() {
  if (std::exchange(has_spare_normal_, false)) return spare_normal_;
  double u = 0.0;
  double v = 0.0;
  double square = 0.0;
  do {
    u = 2.0 * uniform() - 1.0;
    v = 2.0 * uniform() - 1.0;
    square = u * u + v * v;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  spare_normal_ = v * factor;
  has_spare_normal_ = true;
  return u * factor;
}

Index RandomStream::below(Index bound) {
  assert(bound > 0);
  const auto range = static_cast<std::uint64_t>(bound);
  std::uint64_t draw = bits();
  if (draw < range) {
    const std::uint64_t rejected = (0 - range) % range;  // 2^64 mod range: the biased low values
    while (draw < rejected) draw = bits();
  }
  return static_cast<Index>(draw % range);
}

std::vector<Index> RandomStream::sample(Index n, Index count) {
  assert(0 <= count && count <= n);
  // Fisher-Yates on a virtual 0 .. n - 1: only the places that moved are stored.
  MovedPlaces moved(count);
  std::vector<Index> drawn(static_cast<std::size_t>(count));
  for (Index s = 0; s < count; ++s) {
    const Index place = s + below(n - s);
    drawn[s] = moved.at(place);
    moved.set(place, moved.at(s));
  }
  return drawn;
}

void RandomStream::shuffle(std::span<Index> items) {
  for (Index s = std::ssize(items) - 1; s > 0; --s) std::swap(items[s], items[below(s + 1)]);
}

}  // namespace tamis
