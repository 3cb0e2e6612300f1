#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "io/byte_source.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/dialect.hpp"
#include "io/h5ad.hpp"
#include "io/id_columns.hpp"
#include "io/npy.hpp"
#include "io/plain_text.hpp"
#include "io/row_lookup.hpp"
#include "io/xlsx.hpp"
#include "tamis/core/error.hpp"
#include "tamis/io/labels.hpp"

namespace tamis {
namespace {

/// A file of labels cut into records.
struct LabelSheet {
  std::string file;
  std::vector<Record> records = {};
  std::vector<std::string> names = {};  ///< of the columns; numbered if the file has none
  bool has_header = false;

  Index columns() const { return std::ssize(names); }
};

bool names_labels(const std::string& text) {
  return std::ranges::find(default_label_names(), lower_case(text)) != default_label_names().end();
}

LabelSheet npy_labels(ByteSource& source) {
  LabelSheet sheet{.file = source.name(), .names = numbered_names(1)};
  for (std::string& text : read_npy_vector(source))
    sheet.records.push_back({std::ssize(sheet.records) + 1, {std::move(text)}});
  return sheet;
}

LabelSheet h5ad_labels(ByteSource& source) {
  ObsTexts obs = read_h5ad_obs(source);
  LabelSheet sheet{.file = source.name(), .names = numbered_names(std::ssize(obs.names))};
  sheet.records.push_back({1, std::move(obs.names)});
  for (std::size_t i = 0; i < obs.columns.front().size(); ++i) {
    Record& record = sheet.records.emplace_back(Record{static_cast<Index>(i) + 1, {}});
    for (std::vector<std::string>& column : obs.columns)
      record.fields.push_back(std::move(column[i]));
  }
  return sheet;
}

LabelSheet xlsx_labels(ByteSource& source) {
  LabelSheet sheet{.file = source.name(), .records = xlsx_records(source)};
  sheet.names = numbered_names(std::ssize(sheet.records.front().fields));
  return sheet;
}

LabelSheet text_labels(ByteSource& source) {
  LabelSheet sheet{.file = source.name()};
  std::string recoded;
  std::string_view text = plain_text(source, recoded);
  const std::string_view trimmed = trim_text(sheet.file, text);
  if (trimmed.empty()) throw DataError(fmt::format("{}: is empty", sheet.file));
  const Dialect dialect = detect_dialect(trimmed, kListDelimiters);
  // One label per line: the lines at the end may be empty labels, so they are kept.
  const bool is_one_column =
      split_record(trimmed.substr(0, trimmed.find('\n')), dialect).size() == 1;
  if (is_one_column) {
    text.remove_prefix(static_cast<std::size_t>(trimmed.data() - text.data()));
    if (text.ends_with('\n')) text.remove_suffix(1);
  }
  sheet.records = split_records(sheet.file, is_one_column ? text : trimmed, dialect);
  sheet.names = numbered_names(std::ssize(sheet.records.front().fields));
  return sheet;
}

LabelSheet open_labels(const std::string& path) {
  ByteSource source(path);
  if (looks_like_npy(source)) return npy_labels(source);
  if (looks_like_h5ad(source)) return h5ad_labels(source);
  return looks_like_xlsx(source) ? xlsx_labels(source) : text_labels(source);
}

void check_fields(const LabelSheet& sheet) {
  for (const Record& record : sheet.records)
    if (std::ssize(record.fields) != sheet.columns())
      throw DataError(fmt::format("{}:{}: {} fields found, {} expected (as in line 1)", sheet.file,
                                  record.line, record.fields.size(), sheet.columns()));
}

void take_header(LabelSheet& sheet) {
  sheet.has_header = true;
  std::vector<std::string>& names = sheet.records.front().fields;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (!names[c].empty()) sheet.names[c] = std::move(names[c]);
  sheet.records.erase(sheet.records.begin());
}

/// The column in which most records name a row, if any does.
std::optional<Index> find_ids(const LabelSheet& sheet, const RowLookup& lookup) {
  std::vector<Index> found(sheet.names.size(), 0);
  for (const Record& record : sheet.records)
    for (std::size_t c = 0; c < std::min(found.size(), record.fields.size()); ++c)
      found[c] += lookup.find(record.fields[c]) ? 1 : 0;
  const auto most = std::ranges::max_element(found);
  return *most > 0 ? std::optional(most - found.begin()) : std::nullopt;
}

/// Whether the first record names columns: "y" may also be the label of a row that exists.
bool is_header(const LabelSheet& sheet, std::optional<Index> ids, const RowLookup& lookup,
               const std::optional<std::string>& wanted) {
  const std::vector<std::string>& first = sheet.records.front().fields;
  if (ids && lookup.find(first[*ids])) return false;
  if (std::ranges::any_of(first, names_labels)) return true;
  if (wanted && std::ranges::find(first, *wanted) != first.end()) return true;
  return ids && (first[*ids].empty() || names_ids(first[*ids]));
}

/// Likewise of a single column: one line more than there are rows, a word that is the label of
/// none, while others come again.
bool is_lone_header(const LabelSheet& sheet, Index rows) {
  const std::string& first = sheet.records.front().fields.front();
  if (std::ssize(sheet.records) != rows + 1 || is_number_or_missing(first)) return false;
  std::set<std::string_view> labels;
  for (const Record& record : sheet.records) labels.insert(record.fields.front());
  const auto times = std::ranges::count_if(
      sheet.records, [&](const Record& record) { return record.fields.front() == first; });
  return times == 1 && std::ssize(labels) < std::ssize(sheet.records);
}

Index label_column(const LabelSheet& sheet, std::optional<Index> ids,
                   const std::optional<std::string>& wanted) {
  if (wanted) return find_column(sheet.file, "label column", *wanted, sheet.names);
  std::vector<std::string> others;
  std::optional<Index> only;
  for (Index c = 0; c < sheet.columns(); ++c) {
    if (c == ids) continue;
    if (sheet.has_header && names_labels(sheet.names[c])) return c;
    only = others.empty() ? std::optional(c) : std::nullopt;
    others.push_back(shown(sheet.names[c]));
  }
  if (only) return *only;
  throw DataError(fmt::format("{}: which of its {} columns {} holds the labels?", sheet.file,
                              others.size(), fmt::join(others, ", ")),
                  {Remedy::Action::name_label_column});
}

std::vector<std::string> in_order(LabelSheet& sheet, Index column, Index rows) {
  std::vector<std::string> labels;
  for (Record& record : sheet.records) labels.push_back(std::move(record.fields[column]));
  // Empty lines at the end are labels that are not known, as far as there are rows for them.
  while (std::ssize(labels) > rows && labels.back().empty()) labels.pop_back();
  if (std::ssize(labels) != rows)
    throw DataError(fmt::format("{}: {} label{}, but the table has {} rows", sheet.file,
                                labels.size(), labels.size() == 1 ? "" : "s", rows));
  return labels;
}

std::vector<std::string> by_id(LabelSheet& sheet, Index ids, Index column, Index rows,
                               const RowLookup& lookup) {
  std::vector<std::string> labels(static_cast<std::size_t>(rows));
  std::vector<Index> line_of_row(static_cast<std::size_t>(rows), 0);
  for (Record& record : sheet.records) {
    const std::string place = fmt::format("{}:{}", sheet.file, record.line);
    const Index row = lookup.at(record.fields[ids], place);
    if (line_of_row[row] > 0)
      throw DataError(fmt::format("{}: {} has a label already, from line {}", place,
                                  shown(record.fields[ids]), line_of_row[row]));
    line_of_row[row] = record.line;
    labels[row] = std::move(record.fields[column]);
  }
  return labels;
}

}  // namespace

LabelTexts read_labels(const std::string& path, Index rows,
                       const std::vector<std::string>& sample_ids,
                       const std::optional<std::string>& column) {
  LabelSheet sheet = open_labels(path);
  check_fields(sheet);
  const RowLookup lookup(rows, sample_ids);
  const bool is_list = sheet.columns() == 1;
  std::optional<Index> ids = is_list ? std::nullopt : find_ids(sheet, lookup);
  const bool has_header = is_header(sheet, ids, lookup, column);
  const bool has_lone_header = !has_header && is_list && is_lone_header(sheet, rows);
  if (has_header || has_lone_header) take_header(sheet);
  // Ids that match nothing are named in the refusal; without ids in the table there may be none.
  const bool is_in_order =
      is_list || (!ids && sample_ids.empty() && std::ssize(sheet.records) == rows);
  if (!is_in_order && !ids) ids = 0;
  const Index chosen = label_column(sheet, ids, column);
  LabelTexts labels{.texts = is_in_order ? in_order(sheet, chosen, rows)
                                         : by_id(sheet, *ids, chosen, rows, lookup),
                    .name = sheet.has_header ? sheet.names[chosen] : ""};
  if (has_lone_header)
    labels.notes.push_back(
        {fmt::format("its first line, {}, is taken as the header", shown(sheet.names.front()))});
  if (is_in_order && !is_list)
    labels.notes.push_back({fmt::format(
        "its {} lines are taken in the order of the rows, for the table has no ids", rows)});
  if (sheet.columns() > 2 && !column)
    labels.notes.push_back(
        {fmt::format("column {} is taken as the labels", shown(sheet.names[chosen]))});
  return labels;
}

bool names_samples(const std::string& path, Index rows, const std::vector<std::string>& ids) {
  const LabelSheet sheet = open_labels(path);
  if (sheet.columns() == 1) return false;
  const RowLookup lookup(rows, ids);
  const std::optional<Index> column = find_ids(sheet, lookup);
  if (!column) return false;
  const auto found = std::ranges::count_if(sheet.records, [&](const Record& record) {
    return std::ssize(record.fields) > *column && lookup.find(record.fields[*column]).has_value();
  });
  return 2 * found > std::ssize(sheet.records);
}

}  // namespace tamis
