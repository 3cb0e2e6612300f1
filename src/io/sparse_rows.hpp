#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tamis/core/table.hpp"

namespace tamis {

namespace detail {

/// Sorts the entries of one row by column, and adds up those of the same one. Returns how many
/// are left, zeros not among them.
template <class T>
Index tidy_row(ColumnIndex* columns, T* values, Index count) {
  if (std::adjacent_find(columns, columns + count, std::greater_equal{}) != columns + count) {
    std::vector<std::pair<ColumnIndex, T>> entries;
    for (Index e = 0; e < count; ++e) entries.emplace_back(columns[e], values[e]);
    std::ranges::stable_sort(entries, {}, &std::pair<ColumnIndex, T>::first);
    for (Index e = 0; e < count; ++e) {
      columns[e] = entries[e].first;
      values[e] = entries[e].second;
    }
  }
  Index kept = 0;
  for (Index e = 0; e < count;) {
    const ColumnIndex column = columns[e];
    T sum = values[e++];
    for (; e < count && columns[e] == column; ++e) sum += values[e];
    if (sum == T{0}) continue;
    columns[kept] = column;
    values[kept++] = sum;
  }
  return kept;
}

}  // namespace detail

/// What gather_entries throws if it is not given the same entries twice: read_table knows the file.
struct OtherEntries : std::exception {};

/// A table by rows from entries in any order: `count` and then `each` call put(row, column, value)
/// for every one, the former with any values, so that nothing but the table is held. Entries of one
/// place are added up. @throws OtherEntries
template <class T, class Count, class Each>
CsrTable<T> gather_entries(Index rows, Index cols, const Count& count, const Each& each) {
  CsrTable<T> table;
  table.cols = cols;
  table.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  count([&](Index row, Index, T) { ++table.offsets[row + 1]; });
  std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
  table.columns.resize(static_cast<std::size_t>(table.offsets.back()));
  table.values.resize(table.columns.size());
  std::vector<Index> next(table.offsets.begin(), table.offsets.end() - 1);
  each([&](Index row, Index column, T value) {
    const Index place = next[row]++;
    if (place == table.offsets[row + 1]) throw OtherEntries{};
    table.columns[place] = static_cast<ColumnIndex>(column);
    table.values[place] = value;
  });
  if (!std::equal(next.begin(), next.end(), table.offsets.begin() + 1)) throw OtherEntries{};
  Index out = 0;
  for (Index i = 0, begin = 0; i < rows; ++i) {
    const Index end = table.offsets[i + 1];
    const Index kept =
        detail::tidy_row(table.columns.data() + begin, table.values.data() + begin, end - begin);
    std::copy_n(table.columns.begin() + begin, kept, table.columns.begin() + out);
    std::copy_n(table.values.begin() + begin, kept, table.values.begin() + out);
    out += kept;
    table.offsets[i + 1] = out;
    begin = end;
  }
  table.columns.resize(static_cast<std::size_t>(out));
  table.values.resize(static_cast<std::size_t>(out));
  return table;
}

/// The same of entries that lie in memory.
template <class T, class Each>
CsrTable<T> gather_entries(Index rows, Index cols, const Each& each) {
  return gather_entries<T>(rows, cols, each, each);
}

/// The same of entries that lie column by column, `starts` says where, and are read a piece at a
/// time and twice: read_rows(first, out) and read_values(first, out), where a first piece is read
/// anew. `check(row, before)` throws if it may not follow `before`, or -1, in its column.
/// @throws OtherEntries
template <class T, class ReadRows, class ReadValues, class Check>
CsrTable<T> gather_columns(Index rows, const std::vector<Index>& starts, const ReadRows& read_rows,
                           const ReadValues& read_values, const Check& check) {
  constexpr Index kAtOnce = Index{1} << 16;
  const Index entries = starts.back();
  std::vector<ColumnIndex> held_rows;
  std::vector<T> held_values;
  const auto each = [&](bool has_values, const auto& put) {
    Index column = 0;
    Index before = -1;
    for (Index first = 0; first < entries; first += kAtOnce) {
      const Index count = std::min(kAtOnce, entries - first);
      held_rows.resize(static_cast<std::size_t>(count));
      held_values.resize(held_rows.size());
      read_rows(first, std::span(held_rows));
      if (has_values) read_values(first, std::span(held_values));
      for (Index e = 0; e < count; ++e) {
        for (; starts[column + 1] <= first + e; before = -1) ++column;
        check(Index{held_rows[e]}, before);
        before = held_rows[e];
        put(before, column, held_values[e]);
      }
    }
  };
  return gather_entries<T>(
      rows, std::ssize(starts) - 1, [&](const auto& put) { each(/*has_values=*/false, put); },
      [&](const auto& put) { each(/*has_values=*/true, put); });
}

/// The given columns of a sparse table, in any order.
template <class T>
CsrTable<T> chosen_columns(CsrView<T> view, std::span<const Index> columns) {
  std::vector<Index> place(static_cast<std::size_t>(view.cols()), -1);
  for (Index c = 0; c < std::ssize(columns); ++c) place[columns[c]] = c;
  return gather_entries<T>(view.rows(), std::ssize(columns), [&](const auto& put) {
    for (Index i = 0; i < view.rows(); ++i)
      for (Index e = 0; e < std::ssize(view.row_columns(i)); ++e)
        if (const Index column = place[view.row_columns(i)[e]]; column >= 0)
          put(i, column, view.row_values(i)[e]);
  });
}

}  // namespace tamis
