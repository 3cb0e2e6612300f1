#include "io/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include "core/counted.hpp"
#include "io/categories.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/id_columns.hpp"
#include "io/text_columns.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

bool reads_as_text(const std::string& cell) {
  return !is_number_of_some_style(cell) && !truth_of(cell) && unit_sign(cell).empty();
}

namespace {

bool is_excluded(Index column, const ReadOptions& options) {
  const std::string number = std::to_string(column);
  const auto names_it = [&](const std::vector<std::string>& columns) {
    return std::ranges::find(columns, number) != columns.end();
  };
  return options.label_column == number || options.id_column == number ||
         names_it(options.other_labels) || names_it(options.drop);
}

/// The feature that may hold ids that nobody asked for: a first column without a name or of texts,
/// or a column that is named like ids and begins with a text. All its cells are judged once they
/// are read.
std::optional<Index> presumed_ids(const Sheet& sheet, const ColumnRoles& roles,
                                  const ReadOptions& options) {
  if (!sheet.has_header || options.id_column || roles.features.size() < 2) return std::nullopt;
  const std::vector<std::string> first = sheet.cells(0);
  for (Index r = 0; r < std::ssize(roles.features); ++r) {
    const Index c = roles.features[r];
    if (roles.is_kept[r]) continue;
    if (c == 0 && sheet.has_unnamed_first) return r;
    if (c < std::ssize(first) && (c == 0 || names_ids(sheet.names[c])) && reads_as_text(first[c]))
      return r;
  }
  return std::nullopt;
}

/// Ids that were only presumed must be distinct texts, else the column was a feature; those of a
/// column without a name may be anything, and are left out if they name several rows alike.
void check_presumed_ids(const Sheet& sheet, Encode encode, ColumnRoles& roles, Table& table) {
  const Index column = *roles.id;
  const std::vector<std::string>& ids = table.sample_ids;
  const std::unordered_set<std::string_view> distinct(ids.begin(), ids.end());
  const bool are_distinct = distinct.size() == ids.size();
  const bool has_no_name = column == 0 && sheet.has_unnamed_first;
  if (!has_no_name && !(are_distinct && std::ranges::all_of(ids, reads_as_text))) {
    if (encode == Encode::refuse) refuse_texts(sheet, text_columns(sheet, {column}));
    table.sample_ids.clear();
    roles.texts.insert(roles.texts.begin(), column);
    return;
  }
  const std::string who = has_no_name ? "the first column, which has no name,"
                                      : fmt::format("column {}", shown(sheet.names[column]));
  if (are_distinct) {
    table.notes.push_back({fmt::format("{} is taken as the sample ids", who),
                           {Remedy::Action::keep_column, sheet.names[column]}});
  } else {
    table.sample_ids.clear();
    table.notes.push_back({fmt::format("{} is left out: it holds no ids, for some repeat", who),
                           {Remedy::Action::keep_column, sheet.names[column]}});
  }
}

/// Leaves features out that have neither a name nor any value: spreadsheets write columns beside a
/// table in which something stood once.
void drop_empty_columns(Sheet& sheet, ColumnRoles& roles, Table& table) {
  const auto is_empty = [&](Index place) {
    if (roles.is_kept[place] || !std::ranges::binary_search(sheet.unnamed, roles.features[place]))
      return false;
    std::vector<double> values(static_cast<std::size_t>(table.rows()));
    copy_columns(table.view(), all_indices(table.rows()), place, 1, values.data());
    return std::ranges::all_of(values, [](double value) { return std::isnan(value); });
  };
  ColumnRoles left = roles;
  left.features.clear();
  left.is_kept.clear();
  std::vector<Index> kept;
  for (Index place = 0; place < std::ssize(roles.features); ++place) {
    if (is_empty(place)) continue;
    kept.push_back(place);
    left.features.push_back(roles.features[place]);
    left.is_kept.push_back(roles.is_kept[place]);
  }
  const Index dropped = std::ssize(roles.features) - std::ssize(kept);
  if (dropped == 0 || kept.empty()) return;
  keep_columns(table.data, kept);
  roles = std::move(left);
  sheet.notes.push_back(
      {fmt::format("{} without a name {} no value and {} left out", counted(dropped, "column"),
                   dropped == 1 ? "has" : "have", dropped == 1 ? "is" : "are")});
}

Table table_as_stored(Sheet& sheet, const ReadOptions& options) {
  ColumnRoles roles =
      assign_roles(sheet.file, sheet.names, sheet.has_header && !options.transpose, options);
  const std::optional<Index> presumed = presumed_ids(sheet, roles, options);
  if (presumed) {
    roles.id = roles.features[*presumed];
    roles.features.erase(roles.features.begin() + *presumed);
    roles.is_kept.erase(roles.is_kept.begin() + *presumed);
  }
  Table table;
  sheet.parse(roles, options, table);
  if (!sheet.unnamed.empty()) drop_empty_columns(sheet, roles, table);
  for (const Index c : roles.features) table.feature_names.push_back(sheet.names[c]);
  if (roles.label && sheet.has_header) table.label_name = sheet.names[*roles.label];
  table.notes = std::move(sheet.notes);
  std::ranges::move(roles.notes, std::back_inserter(table.notes));
  if (options.transpose) return table;
  if (presumed) check_presumed_ids(sheet, options.encode, roles, table);
  if (const auto taken = set_ids_apart(table, roles.is_kept))
    if (auto texts = sheet.texts_of_feature(roles.features[*taken]))
      table.sample_ids = std::move(*texts);
  encode_texts(sheet, roles.texts, options.encode, table);
  if (table.cols() == 0)
    throw DataError(fmt::format("{}: none of its {} columns is left as a feature", sheet.file,
                                sheet.columns()));
  return table;
}

/// Whatever options say of columns is meant of those that rows become.
Table turned_table(Sheet& sheet, const ReadOptions& options) {
  ReadOptions as_stored = options;
  as_stored.label_column = std::nullopt;
  as_stored.other_labels = {};
  as_stored.drop = as_stored.keep = {};
  as_stored.precision = Precision::as_stored;
  as_stored.encode = Encode::refuse;  // its columns are rows
  Table table = table_as_stored(sheet, as_stored);
  ReadOptions turned = options;
  turned.id_column = std::nullopt;
  apply_options(sheet.file, table, turned);
  return table;
}

}  // namespace

std::string Sheet::place(Index row) const { return fmt::format("{}:{}", file, line(row)); }

bool looks_like_header(const std::vector<std::string>& cells, const ReadOptions& options) {
  for (Index c = 0; c < std::ssize(cells); ++c) {
    if (is_number_of_some_style(cells[c]) || truth_of(cells[c])) continue;
    if (!is_excluded(c, options)) return true;
    if (std::ranges::find(default_label_names(), lower_case(cells[c])) !=
        default_label_names().end())
      return true;
  }
  return false;
}

void take_names(Sheet& sheet, std::vector<std::string> cells, Index columns) {
  if (std::ssize(cells) + 1 == columns) {
    sheet.notes.push_back(
        {"the header has one field less than the rows: the first column is "
         "without a name"});
    cells.insert(cells.begin(), "");
  }
  sheet.has_unnamed_first = cells.front().empty();
  // A name that was given is that of its column alone: an invented one gives way.
  const std::unordered_set<std::string> given(cells.begin(), cells.end());
  sheet.names = numbered_names(std::ssize(cells));
  for (Index c = 0; c < std::ssize(cells); ++c) {
    if (cells[c].empty()) sheet.unnamed.push_back(c);
    while (cells[c].empty() && given.contains(sheet.names[c])) sheet.names[c] += '_';
    if (!cells[c].empty()) sheet.names[c] = std::move(cells[c]);
  }
}

void note_truths(Sheet& sheet, const ColumnRoles& roles, const std::vector<Index>& features) {
  if (features.empty()) return;
  const bool is_one = features.size() == 1;
  sheet.notes.push_back({fmt::format(
      "{} {} true and false, read as 1 and 0",
      is_one ? fmt::format("column {}", shown(sheet.names[roles.features[features.front()]]))
             : counted(std::ssize(features), "column"),
      is_one ? "holds" : "hold")});
}

void set_texts_apart(const Sheet& sheet, Encode encode, ColumnRoles& roles) {
  const std::vector<TextColumn> texts = text_columns(sheet, roles.features);
  if (texts.empty()) return;
  if (encode == Encode::refuse) refuse_texts(sheet, texts);
  for (const TextColumn& text : texts) {
    const auto place = std::ranges::find(roles.features, text.column) - roles.features.begin();
    roles.features.erase(roles.features.begin() + place);
    roles.is_kept.erase(roles.is_kept.begin() + place);
    roles.texts.push_back(text.column);
  }
}

Table table_of(Sheet& sheet, const ReadOptions& options) {
  return options.transpose ? turned_table(sheet, options) : table_as_stored(sheet, options);
}

}  // namespace tamis
