#pragma once

#include <cstdint>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// The smallest keys of each of a few rows, found for as many rows at once as a register holds.
///
/// The last bits of a key make room for the position of the other row: one number says both, and
/// orders by key. What is known of keys afterwards are bounds.
class SmallestKeys {
 public:
  static constexpr Index kMostRows = 256;
  static constexpr Index kMostChosen = 24;

  /// Chooses for each row the others of the smallest keys: at most kMostChosen of them, fewer than
  /// there are rows. Keys (rows x stride, whole registers) are symmetric and not negative, and
  /// infinite of a row with itself.
  SmallestKeys(const float* keys, Index rows, Index stride, Index chosen);

  /// The s-th of the chosen ones, which ascend.
  std::uint32_t position(Index row, Index s) const {
    return static_cast<std::uint32_t>(entries_[s * stride_ + row]);
  }
  /// At least the key of any chosen one.
  float most_of_chosen(Index row) const;
  /// At most the key of any other one.
  float least_of_rest(Index row) const;

 private:
  Index stride_;
  Index chosen_;
  Buffer<std::int32_t> entries_;  // of each row the chosen positions, and below them the next entry
  Buffer<std::int32_t> last_;     // of the chosen entries of each row
};

}  // namespace tamis
