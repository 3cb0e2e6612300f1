#pragma once

#include <bit>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Two positions and the float32 key that ranks their distance.
struct Hit {
  std::uint32_t left;
  std::uint32_t right;
  float key;
};

/// For each position the `keep` best others seen so far by (key, position), and a limit such that
/// whatever was refused or thrown out came after it. What is kept does not depend on the order of
/// offers. Safe to use from many threads; locks cover stripes of positions.
class CandidatePool {
 public:
  CandidatePool(Index positions, Index keep, Index stripe);

  /// Offers right to left's list for every hit (which should come in runs of nearby lefts).
  void offer(std::span<const Hit> hits);
  /// Offers left to right's list for every hit; all rights lie in one stripe.
  void offer_reversed(std::span<const Hit> hits);

  void copy_limits(Index begin, Index end, float* out);

  struct Candidate {
    Index position;
    float key;
  };
  /// At most `keep` best others of a position, in no order. Call it when all offers are made.
  std::vector<Candidate> best(Index position);
  /// Every other that best() leaves out has at least this key (infinite: none is left out).
  float limit(Index position) const { return limits_[position]; }

 private:
  /// Key and position in one number: keys are not negative, so their bits order like integers.
  static std::uint64_t pack(float key, std::uint32_t position) {
    return (std::uint64_t{std::bit_cast<std::uint32_t>(key)} << 32) | position;
  }
  static float key_of(std::uint64_t entry) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32));
  }
  void insert(std::uint32_t owner, float key, std::uint32_t other);
  void insert_in_order(std::uint32_t owner, std::uint64_t entry);
  void shrink(Index position);

  Index keep_;
  bool in_order_;  // short lists are always in order; long ones are cut now and then
  Index capacity_;
  Index stripe_;
  std::vector<std::uint64_t> entries_;
  std::vector<std::uint32_t> counts_;
  std::vector<float> limits_;
  std::vector<std::mutex> locks_;
};

}  // namespace tamis
