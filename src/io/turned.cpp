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

/// Columns are taken so many at once: what is read and what is written then stay in cache.
constexpr Index kColumnsAtOnce = 32;

template <class T>
OwnedTable turned(const DenseTable<T>& from) {
  DenseTable<T> to{.rows = from.cols, .cols = from.rows};
  to.values.resize(from.values.size());
  parallel_for(from.cols, kColumnsAtOnce, [&](Index begin, Index end) {
    for (Index i = 0; i < from.rows; ++i)
      for (Index r = begin; r < end; ++r)
        to.values[r * to.cols + i] = from.values[i * from.cols + r];
  });
  return to;
}

template <class T>
OwnedTable turned(const CsrTable<T>& from) {
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

void turn(Table& table) {
  table.data = std::visit([](const auto& data) { return turned(data); }, table.data);
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
