#include "linalg/column_sorter.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tamis {
namespace {

/// Below this many values counting digits costs more than comparing.
constexpr Index kFewValues = 400;
constexpr int kDigitBits = 11;
constexpr Index kDigits = Index{1} << kDigitBits;

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
    std::span<const T> values) {
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
  if (n <= kFewValues) {
    std::ranges::sort(items_, {}, &Item::key);
  } else if (least < greatest) {
    const int width = static_cast<int>(std::bit_width(static_cast<Key>(greatest - least)));
    const int shift = std::max(0, width - 2 * kDigitBits);
    sort_by_leading_bits(least, shift);
    if (shift > 0) finish_runs(least, shift);
  }
  return items_;
}

template <class T, class Key>
void ColumnSorter<T, Key>::sort_by_leading_bits(Key least, int shift) {
  const auto low_digit = [&](const Item& item) {
    return static_cast<Index>((item.key - least) >> shift) % kDigits;
  };
  const auto high_digit = [&](const Item& item) {
    return static_cast<Index>((item.key - least) >> shift) / kDigits;
  };
  counts_.assign(2 * kDigits, 0);
  Index* const low = counts_.data();
  Index* const high = low + kDigits;
  for (const Item& item : items_) {
    ++low[low_digit(item)];
    ++high[high_digit(item)];
  }
  for (Index* const counts : {low, high}) {
    Index before = 0;
    for (Index d = 0; d < kDigits; ++d) before += std::exchange(counts[d], before);
  }
  for (const Item& item : items_) other_[low[low_digit(item)]++] = item;
  for (const Item& item : other_) items_[high[high_digit(item)]++] = item;
}

template <class T, class Key>
void ColumnSorter<T, Key>::finish_runs(Key least, int shift) {
  constexpr Index kShortRun = 24;
  const auto leading = [&](Index i) { return (items_[i].key - least) >> shift; };
  const Index n = std::ssize(items_);
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && leading(end) == leading(begin);) ++end;
    const auto run = std::span(items_).subspan(begin, end - begin);
    if (end - begin > kShortRun) {
      if (!std::ranges::is_sorted(run, {}, &Item::key)) std::ranges::sort(run, {}, &Item::key);
      continue;
    }
    for (Index i = 1; i < end - begin; ++i) {
      const Item item = run[i];
      Index to = i;
      for (; to > 0 && item.key < run[to - 1].key; --to) run[to] = run[to - 1];
      run[to] = item;
    }
  }
}

template class ColumnSorter<float, std::uint32_t>;
template class ColumnSorter<float, std::uint64_t>;
template class ColumnSorter<double, std::uint64_t>;

}  // namespace tamis
