#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Mutual information below this, in nats, is rounding: partitions that know nothing of each other.
inline constexpr double kNoInformation = 1e-12;

/// c ln c of a count c as an integer, from which entropies follow by adding up:
/// H = ln n - sum of c ln c / n over the parts of n items. Sums of integers do not depend on the
/// order of the parts, so partitions with equal counts have equal entropies to the bit.
class CountLogs {
 public:
  explicit CountLogs(Index items);

  std::int64_t of(Index count) const;
  /// What sums and differences of those integers are in nats per item.
  double nats(std::int64_t sum) const { return static_cast<double>(sum) / scale_; }

 private:
  double
      unit_;  // a power of two: n ln n is far below 2^63 in it, and rounding is below 2^-60 of it
  double scale_;  // unit_ x items
};

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
  double mutual = 0.0;  ///< at least kNoInformation, or 0
};

/// The order of parts and cells changes no bit of it.
SharedInformation shared_information(const SharedCounts& counts);

/// Mutual information from the two entropies and the joint one as sums of `logs` over parts and
/// cells; `all` is that of all items together.
double mutual_information(const CountLogs& logs, std::int64_t all, std::int64_t first,
                          std::int64_t second, std::int64_t cells);

}  // namespace tamis
