#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Sorts columns of numbers, one after the other, in memory that is reused. Keys are numbers whose
/// order is that of the values, so two radix passes over their leading bits do most of the work.
template <class T, class Key>
class ColumnSorter {
 public:
  struct Item {
    Key key;    ///< equal for equal values; -0 is 0
    Key place;  ///< where the value stood
  };

  /// What comes first of equal values: whatever is fastest, or the one that stood first.
  enum class Ties { any, by_place };

  /// Ascending by value; no value may be NaN. What it returns is valid until the next call.
  std::span<const Item> sort(std::span<const T> values, Ties ties = Ties::any);

 private:
  void sort_few();
  void sort_by_leading_bits(Key least, int shift);
  void finish_runs(Key least, int shift, Ties ties);
  Index sort_run(Index one, Key least, int shift, Ties ties);
  static void sort_items(std::span<Item> items, Ties ties);

  Buffer<Item> items_;
  Buffer<Item> other_;
  std::vector<Key> counts_;  // of digits; as narrow as places, to stay in the first cache
};

/// Calls visit(begin, end) for each run of equal keys.
template <class Item, class Visit>
void for_each_tie(std::span<const Item> sorted, const Visit& visit) {
  const Index n = std::ssize(sorted);
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && sorted[end].key == sorted[begin].key;) ++end;
    visit(begin, end);
  }
}

}  // namespace tamis
