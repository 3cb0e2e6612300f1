#include "core/random.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace tamis {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

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
  const std::uint64_t rejected = (0 - range) % range;  // 2^64 mod range: the biased low values
  std::uint64_t draw = bits();
  while (draw < rejected) draw = bits();
  return static_cast<Index>(draw % range);
}

std::vector<Index> RandomStream::sample(Index n, Index count) {
  assert(0 <= count && count <= n);
  // Fisher-Yates on a virtual 0 .. n - 1: only the places that moved are stored.
  std::unordered_map<Index, Index> moved;
  const auto at = [&](Index place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<Index> drawn(static_cast<std::size_t>(count));
  for (Index s = 0; s < count; ++s) {
    const Index place = s + below(n - s);
    drawn[s] = at(place);
    moved[place] = at(s);
  }
  return drawn;
}

void RandomStream::shuffle(std::span<Index> items) {
  for (Index s = std::ssize(items) - 1; s > 0; --s) std::swap(items[s], items[below(s + 1)]);
}

}  // namespace tamis
