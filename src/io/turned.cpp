#include "io/turned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/formats.hpp"
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

using Names = std::vector<std::string>;

/// What stands before the first digit of a name, without what joins it to that: "control" of
/// Control_3.
std::string stem_of(std::string_view name) {
  const std::string_view before = name.substr(0, name.find_first_of("0123456789"));
  return lower_case(before.substr(0, before.find_last_not_of("_-. ") + 1));
}

bool has_digit(std::string_view name) {
  return name.find_first_of("0123456789") != std::string_view::npos;
}

template <class Holds>
bool holds_for_most(const Names& names, const Holds& holds) {
  return 10 * std::ranges::count_if(names, holds) >= 9 * std::ssize(names);
}

/// Whether names are a few stems with numbers behind them.
bool are_numbered_alike(const Names& names) {
  std::unordered_set<std::string> stems;
  for (const std::string& name : names) stems.insert(stem_of(name));
  return 4 * stems.size() <= names.size() && holds_for_most(names, has_digit);
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// TP53, EGFR, HLA-A: letters that are capital, and digits.
bool is_like_symbol(const std::string& name) {
  constexpr std::size_t kLongest = 12;
  return name.size() >= 2 && name.size() <= kLongest && name.front() >= 'A' &&
         name.front() <= 'Z' &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == std::string::npos;
}

/// Of genes and the like: symbols, of which some have numbers, but not the same with numbers from 1
/// on; or names of databases and of chips.
bool are_like_genes(const Names& ids) {
  static constexpr std::string_view kStems[] = {"ensg", "ensmusg", "enst", "gene",    "probe",
                                                "nm",   "xm",      "rs",   "cg",      "otu",
                                                "loc",  "hsa-mir", "mir",  "protein", "transcript"};
  const auto is_of_database = [](const std::string& id) {
    return id.ends_with("_at") || (has_digit(id) && is_one_of(stem_of(id), kStems));
  };
  if (holds_for_most(ids, is_of_database)) return true;
  return holds_for_most(ids, is_like_symbol) && !are_numbered_alike(ids) &&
         5 * std::ranges::count_if(ids, has_digit) >= std::ssize(ids);
}

bool are_like_samples(const Names& names) {
  static constexpr std::string_view kStems[] = {
      "s",    "sample",  "gsm", "srr",   "err",    "patient", "subject", "donor", "cell",
      "case", "control", "wt",  "tumor", "tumour", "normal",  "treated", "mouse", "ctrl"};
  return names.size() >= 4 && are_numbered_alike(names) &&
         holds_for_most(names, [](const auto& name) { return is_one_of(stem_of(name), kStems); });
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

bool looks_turned(const Table& table) {
  constexpr Index kManyRows = 1000;
  constexpr Index kSomeRows = 50;
  constexpr Index kTimesColumns = 10;
  if (table.sample_ids.empty() || !table.label_texts.empty() ||
      find_format(table.format).says_which_are_features)
    return false;
  const bool has_far_more = table.rows() >= kTimesColumns * table.cols();
  if (has_far_more && table.rows() >= kManyRows) return true;
  if (table.rows() < kSomeRows || table.rows() <= table.cols()) return false;
  if (are_like_genes(table.sample_ids)) return true;
  return has_far_more && are_like_samples(table.feature_names) &&
         !are_numbered_alike(table.sample_ids);
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
