#pragma once

#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Two partitions of the same items: how many are in each part of the one and of the other, and
/// where both meet.
struct SharedCounts {
  struct Cell {
    Index first;
    Index second;
    Index count;
  };
  std::vector<Index> first;
  std::vector<Index> second;
  std::vector<Cell> cells;  ///< those that are not empty

  /// From their contingency table (row-major, `columns` wide): entry (a, b) counts the items in
  /// part a of the one and part b of the other.
  static SharedCounts from_table(std::span<const Index> table, Index columns);
};

/// What two partitions tell, in nats.
struct SharedInformation {
  double first_entropy = 0.0;  ///< 0 to the bit if all items are in one part
  double second_entropy = 0.0;
  double mutual = 0.0;
};

/// The order of parts and cells changes no bit of it.
SharedInformation shared_information(const SharedCounts& counts);

}  // namespace tamis
