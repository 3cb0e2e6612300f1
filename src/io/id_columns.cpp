#include "io/id_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Fewer rows ascend, or hold distinct integers, by chance.
constexpr Index kFewestRows = 10;
/// If more of the columns than one in so many hold distinct integers, they are counts or codes.
constexpr Index kRareShare = 10;
constexpr std::size_t kNamesShown = 3;

/// What makes the values of a column look like ids.
struct Manner {
  bool distinct_integers = false;
  bool rises_or_falls = false;

  bool is_suspect() const { return distinct_integers || rises_or_falls; }
};

Manner manner_of(std::vector<double> values) {
  const auto missing = std::erase_if(values, [](double value) { return std::isnan(value); });
  if (missing > 0 && std::ssize(values) < kFewestRows) return {};
  const bool rises = std::ranges::adjacent_find(values, std::greater_equal{}) == values.end();
  const bool falls = std::ranges::adjacent_find(values, std::less_equal{}) == values.end();
  const bool are_integers = std::ranges::all_of(
      values, [](double value) { return std::isfinite(value) && value == std::floor(value); });
  if (!are_integers || missing > 0) return {.rises_or_falls = rises || falls};
  std::ranges::sort(values);
  return {.distinct_integers = std::ranges::adjacent_find(values) == values.end(),
          .rises_or_falls = rises || falls};
}

/// Of the columns first .. first + width - 1, by the given rows.
std::vector<Manner> manners(const MatrixView& x, std::span<const Index> rows, Index first,
                            Index width) {
  std::vector<double> block(rows.size() * width);
  copy_columns(x, rows, first, width, block.data());
  std::vector<Manner> found;
  for (Index c = 0; c < width; ++c) {
    std::vector<double> column;
    for (std::size_t s = 0; s < rows.size(); ++s) column.push_back(block[s * width + c]);
    found.push_back(manner_of(std::move(column)));
  }
  return found;
}

/// The columns that may hold ids: of a sparse table those with an entry in every row but one, as
/// two zeros are alike. A file can claim far more columns than it has entries. One that lacks
/// entries in two rows is out, and hardly any is left after a few rows.
template <class T>
std::vector<Index> candidates(const CsrView<T>& x) {
  if (x.rows() < 2) return all_indices(x.cols());
  std::vector<Index> columns;
  std::ranges::set_union(x.row_columns(0), x.row_columns(1), std::back_inserter(columns));
  std::vector<bool> lacks_one(columns.size(), false);
  for (Index i = 0; i < x.rows() && !columns.empty(); ++i) {
    const auto entries = x.row_columns(i);
    auto entry = entries.begin();
    std::size_t kept = 0;
    for (std::size_t s = 0; s < columns.size(); ++s) {
      entry = std::lower_bound(entry, entries.end(), columns[s]);
      const bool is_there = entry != entries.end() && *entry == columns[s];
      if (!is_there && lacks_one[s]) continue;
      columns[kept] = columns[s];
      lacks_one[kept++] = lacks_one[s] || !is_there;
    }
    columns.resize(kept);
  }
  return columns;
}
template <class T>
std::vector<Index> candidates(const DenseView<T>& x) {
  return all_indices(x.cols());
}

/// Of all columns. Measurements and counts show in their first rows that they are no ids.
std::vector<Manner> manners(const MatrixView& x) {
  constexpr Index kFirstRows = 1000;
  constexpr Index kColumnsAtOnce = 32;
  const std::vector<Index> rows = all_indices(x.rows());
  const std::span<const Index> first_rows = std::span(rows).first(std::min(kFirstRows, x.rows()));
  std::vector<Manner> found(x.cols());
  const std::vector<Index> columns = x.visit([](const auto& view) { return candidates(view); });
  parallel_for(std::ssize(columns), kColumnsAtOnce, [&](Index begin, Index end) {
    // Those of a dense table lie beside each other, and so may those of a sparse one.
    const Index first = columns[begin];
    const Index width = columns[end - 1] + 1 - first;
    if (width == end - begin)
      std::ranges::copy(manners(x, first_rows, first, width), found.begin() + first);
    else
      for (const Index c : std::span(columns).subspan(begin, end - begin))
        found[c] = manners(x, first_rows, c, 1).front();
    for (Index s = begin; s < end && x.rows() > kFirstRows; ++s)
      if (const Index c = columns[s]; found[c].is_suspect())
        found[c] = manners(x, rows, c, 1).front();
  });
  return found;
}

std::string some_names(const Table& table, const std::vector<Index>& columns) {
  std::string names;
  for (std::size_t s = 0; s < std::min(columns.size(), kNamesShown); ++s)
    names += (s == 0 ? "" : ", ") + shown(table.feature_names[columns[s]]);
  if (columns.size() > kNamesShown)
    names += fmt::format(" and {} more", columns.size() - kNamesShown);
  return names;
}

void warn(Table& table, const std::vector<Index>& columns, std::string_view what) {
  if (columns.empty()) return;
  table.notes.push_back(
      {fmt::format("{} {} from row to row: {} may tell which row it is, not what "
                   "was measured",
                   some_names(table, columns), what, columns.size() == 1 ? "it" : "they"),
       {Remedy::Action::leave_out, table.feature_names[columns.front()]},
       /*is_warning=*/true});
}

void warn_of_suspects(Table& table, const std::vector<Manner>& found,
                      const std::vector<Index>& features) {
  if (table.rows() < kFewestRows) return;
  std::vector<Index> monotone;
  std::vector<Index> distinct;
  for (const Index c : features)
    if (found[c].rises_or_falls)
      monotone.push_back(c);
    else if (found[c].distinct_integers)
      distinct.push_back(c);
  warn(table, monotone, "rises or falls");
  if (std::ssize(distinct) == 1 || std::ssize(distinct) * kRareShare <= table.cols())
    warn(table, distinct, "is another integer");
}

}  // namespace

bool names_ids(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {"sample", "patient", "barcode",
                                                             "index",  "row",     "name"};
  const std::string lower = lower_case(name);
  return lower.ends_with("id") || std::ranges::find(kNames, lower) != kNames.end();
}

std::optional<Index> set_ids_apart(Table& table, const std::vector<bool>& is_kept) {
  const std::vector<Manner> found = manners(table.view());
  ColumnRoles roles;
  std::vector<Index> ids;
  std::vector<Index> doubtful;
  for (Index c = 0; c < table.cols(); ++c) {
    const bool is_id =
        !is_kept[c] && found[c].distinct_integers && names_ids(table.feature_names[c]);
    (is_id ? ids : roles.features).push_back(c);
    if (!is_id && !is_kept[c]) doubtful.push_back(c);
  }
  warn_of_suspects(table, found, doubtful);
  if (ids.empty() || roles.features.empty()) return std::nullopt;
  const std::string_view fate =
      table.sample_ids.empty() ? "taken as the sample ids" : "left out, for there are other ids";
  table.notes.push_back({fmt::format("column {} holds distinct integers and is {}",
                                     some_names(table, {ids.front()}), fate),
                         {Remedy::Action::keep_column, table.feature_names[ids.front()]}});
  for (const Index other : std::span(ids).subspan(1))
    table.notes.push_back(
        {fmt::format("column {} is left out likewise", some_names(table, {other})),
         {Remedy::Action::keep_column, table.feature_names[other]}});
  if (table.sample_ids.empty()) roles.id = ids.front();
  apply_roles(table, roles);
  return roles.id;
}

}  // namespace tamis
