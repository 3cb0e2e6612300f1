#include "core/column_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/lanes.hpp"

namespace tamis {
namespace {

/// Up to this many values each is compared with all others, many at once.
constexpr Index kVeryFewValues = 128;
constexpr Index kFewAtOnce = 16;

/// Below this many values counting digits costs more than comparing.
constexpr Index kFewValues = 400;

/// Longer digits leave fewer values to compare afterwards, but counting them has a price of its
/// own, however few values there are.
int digit_bits(Index n) {
  constexpr Index kManyValues = Index{1} << 14;
  return n < kManyValues ? 11 : 12;
}

template <class T>
auto ordered_bits(T value) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kLastBit = 8 * sizeof(T) - 1;
  const Bits bits = std::bit_cast<Bits>(value + T{0});
  return static_cast<Bits>(bits ^ ((Bits{0} - (bits >> kLastBit)) | (Bits{1} << kLastBit)));
}

}  // namespace

template <class T, class Key>
std::span<const typename ColumnSorter<T, Key>::Item> ColumnSorter<T, Key>::sort(
    std::span<const T> values, Ties ties) {
  const Index n = std::ssize(values);
  items_.resize(n);
  other_.resize(n);
  Key least = ~Key{0};
  Key greatest = 0;
  for (Index i = 0; i < n; ++i) {
    const Key key = ordered_bits(values[i]);
    least = std::min(least, key);
    greatest = std::max(greatest, key);
    items_[i] = {key, static_cast<Key>(i)};
  }
  if (n <= kVeryFewValues) {
    sort_few();
  } else if (n <= kFewValues) {
    sort_items(items_, ties);
  } else if (least < greatest) {
    const int width = static_cast<int>(std::bit_width(static_cast<Key>(greatest - least)));
    const int shift = std::max(0, width - 2 * digit_bits(n));
    sort_by_leading_bits(least, shift);
    if (shift > 0) finish_runs(least, shift, ties);
  }
  return items_;
}

/// By value and then by place: before an item come those of smaller keys, and of equal ones those
/// that stood before it. Counting them needs no branch.
template <class T, class Key>
void ColumnSorter<T, Key>::sort_few() {
  using Number = std::make_signed_t<Key>;  // what most CPUs compare
  const Index n = std::ssize(items_);
  std::array<Number, kVeryFewValues + kFewAtOnce> keys;
  std::array<Number, kVeryFewValues + kFewAtOnce> places;
  constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);
  for (Index i = 0; i < n; ++i) keys[i] = static_cast<Number>(items_[i].key ^ kSign);
  std::fill_n(keys.begin() + n, kFewAtOnce, std::numeric_limits<Number>::max());
  for_this_cpu([&keys, &places, n](auto cpu) TAMIS_KERNEL {
    using Numbers = Lanes<Number, kFewAtOnce, decltype(cpu)>;
    for (Index from = 0; from < n; from += kFewAtOnce) {
      const auto own = Numbers::load(keys.data() + from);
      const Numbers own_or_equal = own + Number{1};
      Numbers before{};
      for (Index i = 0; i < from; ++i)
        before += ones_where_less(Numbers::of(keys[i]), own_or_equal);
      for (Index i = from; i < n; ++i) before += ones_where_less(Numbers::of(keys[i]), own);
      before.store(places.data() + from);
    }
  });
  for (Index from = 0; from < n; from += kFewAtOnce)
    for (Index i = from + 1; i < std::min(n, from + kFewAtOnce); ++i)
      for (Index earlier = from; earlier < i; ++earlier)
        places[i] += keys[earlier] == keys[i] ? 1 : 0;
  for (Index i = 0; i < n; ++i) other_[places[i]] = items_[i];
  std::swap(items_, other_);
}

template <class T, class Key>
void ColumnSorter<T, Key>::sort_by_leading_bits(Key least, int shift) {
  const int bits = digit_bits(std::ssize(items_));
  const Index digits = Index{1} << bits;
  const auto low_digit = [=](const Item& item) {
    return static_cast<Index>((item.key - least) >> shift) & (digits - 1);
  };
  const auto high_digit = [=](const Item& item) {
    return static_cast<Index>((item.key - least) >> (shift + bits));
  };
  counts_.assign(2 * digits, 0);
  Key* const low = counts_.data();
  Key* const high = low + digits;
  for (const Item& item : items_) {
    ++low[low_digit(item)];
    ++high[high_digit(item)];
  }
  for (Key* const counts : {low, high}) {
    Key before = 0;
    for (Index d = 0; d < digits; ++d) before += std::exchange(counts[d], before);
  }
  for (const Item& item : items_) other_[low[low_digit(item)]++] = item;
  for (const Item& item : other_) items_[high[high_digit(item)]++] = item;
}

/// Items of equal leading bits are few as a rule, and most of them stand where they belong.
template <class T, class Key>
void ColumnSorter<T, Key>::finish_runs(Key least, int shift, Ties ties) {
  constexpr Index kShortWay = 24;
  const Index n = std::ssize(items_);
  for (Index i = 1; i < n; ++i) {
    const Item item = items_[i];
    if (item.key >= items_[i - 1].key) continue;
    Index to = i;
    do {
      items_[to] = items_[to - 1];
      --to;
    } while (to > 0 && i - to < kShortWay && item.key < items_[to - 1].key);
    items_[to] = item;
    if (i - to == kShortWay) i = sort_run(i, least, shift, ties);
  }
}

/// Sorts all items with the leading bits of one; returns the last of them.
template <class T, class Key>
Index ColumnSorter<T, Key>::sort_run(Index one, Key least, int shift, Ties ties) {
  const auto leading = [=](const Item& item) { return (item.key - least) >> shift; };
  const auto own = leading(items_[one]);
  const auto begin = std::ranges::lower_bound(items_, own, {}, leading);
  const auto end = std::ranges::upper_bound(begin, items_.end(), own, {}, leading);
  sort_items({begin, end}, ties);
  return end - items_.begin() - 1;
}

template <class T, class Key>
void ColumnSorter<T, Key>::sort_items(std::span<Item> items, Ties ties) {
  if (ties == Ties::any)
    std::ranges::sort(items, {}, &Item::key);
  else
    std::ranges::sort(items, [](const Item& a, const Item& b) {
      return (a.key < b.key) | ((a.key == b.key) & (a.place < b.place));  // without a branch
    });
}

template class ColumnSorter<float, std::uint32_t>;
template class ColumnSorter<float, std::uint64_t>;
template class ColumnSorter<double, std::uint64_t>;

}  // namespace tamis
