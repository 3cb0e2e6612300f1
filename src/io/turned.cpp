#include "io/turned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Exchanges the order of an array [outer][inner] of pieces for [inner][outer], in place: each
/// piece goes where another one is, which goes on, until the circle closes.
template <class T>
void exchange_pieces(T* values, Index outer, Index inner, Index size) {
  const Index count = outer * inner;
  std::vector<bool> is_done(static_cast<std::size_t>(count), false);
  std::vector<T> held(static_cast<std::size_t>(size));
  for (Index first = 0; first < count; ++first) {
    if (is_done[first]) continue;
    std::copy_n(values + first * size, size, held.begin());
    Index place = first;
    do {
      is_done[place] = true;
      place = place % inner * outer + place / inner;
      std::swap_ranges(held.begin(), held.end(), values + place * size);
    } while (place != first);
  }
}

template <class T>
OwnedTable turned(DenseTable<T>& from) {
  turn_values(from.values, from.rows, from.cols);
  return DenseTable<T>{.rows = from.cols, .cols = from.rows, .values = std::move(from.values)};
}

template <class T>
OwnedTable turned(CsrTable<T>& from) {
  const Index rows = std::ssize(from.offsets) - 1;
  CsrTable<T> to{.cols = rows, .offsets = std::vector<Index>(from.cols + 1, 0)};
  to.columns.resize(from.columns.size());
  to.values.resize(from.values.size());
  for (const Index c : from.columns) ++to.offsets[c + 1];
  for (Index c = 0; c < from.cols; ++c) to.offsets[c + 1] += to.offsets[c];
  std::vector<Index> next(to.offsets.begin(), to.offsets.end() - 1);
  for (Index i = 0; i < rows; ++i)
    for (Index e = from.offsets[i]; e < from.offsets[i + 1]; ++e) {
      const Index place = next[from.columns[e]]++;
      to.columns[place] = static_cast<ColumnIndex>(i);
      to.values[place] = from.values[e];
    }
  return to;
}

bool has_repeats(const std::vector<std::string>& names) {
  return std::unordered_set<std::string_view>(names.begin(), names.end()).size() != names.size();
}

}  // namespace

template <std::floating_point T>
void turn_values(Buffer<T>& values, Index rows, Index cols) {
  // Tiles of so many rows of the result: the input has a piece of each in every row. What is left
  // of a row is set aside, which must be little, and pieces should fill cache lines.
  const Index size = std::clamp<Index>(cols / 16, 8, 64);
  const Index tiles = cols / size;
  const Index rest = cols % size;
  std::vector<T> aside(static_cast<std::size_t>(rows * rest));
  for (Index i = 0; i < rows && rest > 0; ++i) {
    const T* const row = values.data() + i * cols;
    for (Index r = 0; r < rest; ++r) aside[r * rows + i] = row[tiles * size + r];
    std::copy(row, row + tiles * size, values.data() + i * tiles * size);
  }
  exchange_pieces(values.data(), rows, tiles, size);
  parallel_for(tiles, 1, [&](Index begin, Index end) {
    std::vector<T> tile(static_cast<std::size_t>(rows * size));
    for (Index t = begin; t < end; ++t) {
      T* const place = values.data() + t * rows * size;
      std::copy_n(place, tile.size(), tile.begin());
      for (Index i = 0; i < rows; ++i)
        for (Index r = 0; r < size; ++r) place[r * rows + i] = tile[i * size + r];
    }
  });
  std::ranges::copy(aside, values.begin() + tiles * size * rows);
}
template void turn_values(Buffer<float>&, Index, Index);
template void turn_values(Buffer<double>&, Index, Index);

void turn(Table& table) {
  table.data = std::visit([](auto& data) { return turned(data); }, table.data);
  const bool has_names = table.feature_names != numbered_names(std::ssize(table.feature_names));
  std::vector<std::string> ids;
  if (has_names) ids = std::move(table.feature_names);
  table.feature_names =
      table.sample_ids.empty() ? numbered_names(table.cols()) : std::move(table.sample_ids);
  table.sample_ids = std::move(ids);
  make_unique(table.feature_names, table.notes);
}

void make_unique(std::vector<std::string>& names, std::vector<Note>& notes) {
  if (!has_repeats(names)) return;
  std::unordered_set<std::string> taken(names.begin(), names.end());
  std::unordered_map<std::string, Index> seen;
  Index repeated = 0;
  std::string example;
  for (std::string& name : names) {
    Index& count = seen[name];
    if (count++ == 0) continue;
    std::string unique;
    do {
      unique = fmt::format("{}.{}", name, count - 1);
    } while (!taken.insert(unique).second && ++count > 0);
    if (repeated++ == 0)
      example = fmt::format("the second {} is called {}", shown(name), shown(unique));
    name = unique;
  }
  notes.push_back({fmt::format(
      "{} the name of another one: {}",
      repeated == 1 ? "a column has" : fmt::format("{} columns have", repeated), example)});
}

}  // namespace tamis
