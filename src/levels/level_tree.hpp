#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "levels/column_scan.hpp"

namespace tamis {

/// Keys low .. high, in slots of 2^shift keys.
struct KeyCell {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::int32_t first_slot = 0;
  std::int32_t shift = 0;
};

/// What is in a slot.
struct SlotCount {
  std::uint64_t count = 0;
  std::uint64_t least = ~std::uint64_t{0};  ///< key
  std::uint64_t largest = 0;

  bool is_mixed() const { return least < largest; }
  void add(std::uint64_t key, std::uint64_t times = 1) {
    count += times;
    least = key < least ? key : least;
    largest = key > largest ? key : largest;
  }
  void merge(const SlotCount& other);
};

/// How many values of a column have a code.
struct CodeCount {
  std::int16_t code = 0;
  std::uint64_t count = 0;
};

/// Codes are within -kLargestCode .. kLargestCode.
inline constexpr std::int64_t kLargestCode = 2047;

/// Up to so many rows every value has a slot of its own: they are soon read again.
inline constexpr Index kRowsWithOwnSlots = 2048;

/// round(4095/2 (begin + end - n) / n), half away from 0: the level of the average rank of sorted
/// places begin .. end - 1 of n.
std::int16_t level_of(std::int64_t begin, std::int64_t end, std::int64_t n);

/// The keys of a column, cut into slots that hold one value or not much more than 1/2048 of the
/// rows each. The buckets of a scan are the first cells, with about as many of 8192 slots as they
/// have of the rows; slots that turn out to hold several values and more rows become cells
/// themselves, until none does. Then every slot gets the level of its average rank as its code.
class LevelTree {
 public:
  LevelTree() = default;
  LevelTree(const ColumnScan::Column& scanned, Index rows);
  /// @param slots whose contents are known
  LevelTree(std::vector<KeyCell> cells, std::vector<std::int32_t> slots);

  /// Slots whose contents are not known yet: they are the last, and take no memory.
  Index new_slots() const { return all_slots_ - first_new_slot(); }
  Index first_new_slot() const { return std::ssize(slots_); }
  /// Takes what is in the new slots; some of them may become cells of new ones.
  void accept(std::span<const SlotCount> contents, Index rows);
  /// Once nothing is new: gives codes to slots. @return the codes that occur, ascending
  std::vector<CodeCount> assign_codes(Index rows);

  std::span<const KeyCell> cells() const { return cells_; }
  /// Those whose contents are known.
  std::span<const std::int32_t> slots() const { return slots_; }

 private:
  friend class SlotFinder;
  /// Slots from here on are the cell with that number; below, codes.
  static constexpr std::int32_t kCell = 1 << 16;

  void add_cell(std::uint64_t low, std::uint64_t high, std::uint64_t slots);

  std::vector<KeyCell> cells_;
  std::size_t bucket_cells_ = 0;       ///< of the cells, the first are buckets
  std::vector<std::int32_t> slots_;    ///< that are known
  std::vector<std::uint64_t> counts_;  ///< of these, until they have codes
  Index all_slots_ = 0;
};

/// Finds the slots of many keys of one column after the other.
class SlotFinder {
 public:
  SlotFinder() : cell_at_(kBuckets, 0) {}

  /// Looks into `tree` from now on, which must live until the next one.
  void open(const LevelTree& tree);

  /// The slot of a key. One that was not in the table when it was scanned is given to one nearby.
  Index slot_of(std::uint64_t key) const {
    Index cell = Index{cell_at_[key >> kBucketShift]} - 1;
    if (cell < 0) return 0;
    for (;;) {
      const KeyCell& keys = cells_[cell];
      const std::uint64_t width = keys.high - keys.low;
      const std::uint64_t offset = key - keys.low;
      const Index slot =
          keys.first_slot + static_cast<Index>((offset < width ? offset : width) >> keys.shift);
      if (slot >= known_ || slots_[slot] < LevelTree::kCell) return slot;
      cell = slots_[slot] - LevelTree::kCell;
    }
  }
  /// Of a tree whose slots have codes.
  std::int16_t code_of(std::uint64_t key) const {
    return static_cast<std::int16_t>(slots_[slot_of(key)]);
  }

 private:
  const KeyCell* cells_ = nullptr;
  const std::int32_t* slots_ = nullptr;
  Index known_ = 0;
  std::vector<std::uint16_t> cell_at_;  ///< of a bucket, from 1; 0: none
  std::vector<std::size_t> open_buckets_;
};

}  // namespace tamis
