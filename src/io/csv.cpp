#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "io/columns.hpp"
#include "io/decimal.hpp"
#include "io/delimited.hpp"
#include "io/id_columns.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBytesPerPiece = Index{1} << 18;

/// The text cut into records, and what its first one says.
struct Sheet {
  const std::string& file;
  std::string_view text;
  Dialect dialect;
  std::vector<const char*> starts;  // of the data rows, plus one past the last
  std::vector<std::string> names;   // one per column of the file
  bool has_header;
  bool has_unnamed_first = false;  // the header begins with an empty name

  Index rows() const { return std::ssize(starts) - 1; }
  Index columns() const { return std::ssize(names); }
  std::string_view record(Index row) const { return record_between(starts[row], starts[row + 1]); }
  std::string place(Index row) const {
    return fmt::format("{}:{}", file, line_of(text, starts[row]));
  }
};

bool is_excluded(Index column, const ReadOptions& options) {
  const std::string number = std::to_string(column);
  return options.label_column == number || options.id_column == number ||
         std::ranges::find(options.drop, number) != options.drop.end();
}

bool looks_like_header(const std::vector<std::string>& cells, const ReadOptions& options) {
  for (Index c = 0; c < std::ssize(cells); ++c) {
    if (is_number_or_missing(cells[c])) continue;
    if (!is_excluded(c, options)) return true;
    if (std::ranges::find(default_label_names(), lower_case(cells[c])) !=
        default_label_names().end())
      return true;
  }
  return false;
}

Sheet open_sheet(ByteSource& source, const ReadOptions& options) {
  const std::string_view text = trim_text(source.name(), source.rest());
  if (text.empty()) throw DataError(fmt::format("{}: is empty", source.name()));
  Dialect dialect = detect_dialect(text);
  dialect.delimiter = options.separator.value_or(dialect.delimiter);
  Sheet sheet{.file = source.name(),
              .text = text,
              .dialect = dialect,
              .starts = record_starts(source.name(), text, dialect),
              .names = {},
              .has_header = false};
  std::vector<std::string> first = split_record(sheet.record(0), dialect);
  sheet.has_header = options.has_header.value_or(looks_like_header(first, options));
  sheet.names = numbered_names(std::ssize(first));
  if (!sheet.has_header) return sheet;
  sheet.has_unnamed_first = first.front().empty();
  for (Index c = 0; c < std::ssize(first); ++c)
    if (!first[c].empty()) sheet.names[c] = std::move(first[c]);
  sheet.starts.erase(sheet.starts.begin());
  if (sheet.rows() == 0)
    throw DataError(fmt::format("{}: has a header and no rows", source.name()));
  return sheet;
}

/// The feature that may hold ids that nobody asked for: a first column without a name, or a column
/// that is named like ids and begins with a text. All its cells are judged once they are read.
std::optional<Index> presumed_ids(const Sheet& sheet, const ColumnRoles& roles,
                                  const ReadOptions& options) {
  if (!sheet.has_header || options.id_column || roles.features.size() < 2) return std::nullopt;
  const std::vector<std::string> first = split_record(sheet.record(0), sheet.dialect);
  for (Index r = 0; r < std::ssize(roles.features); ++r) {
    const Index c = roles.features[r];
    if (roles.is_kept[r]) continue;
    if (c == 0 && sheet.has_unnamed_first) return r;
    if (c < std::ssize(first) && names_ids(sheet.names[c]) && !is_number_or_missing(first[c]))
      return r;
  }
  return std::nullopt;
}

void check_names(const Sheet& sheet, const ColumnRoles& roles) {
  std::unordered_map<std::string_view, Index> seen;
  for (const Index c : roles.features) {
    const auto [first, is_new] = seen.emplace(sheet.names[c], c);
    if (!is_new)
      throw DataError(fmt::format("{}: columns {} and {} (from 0) are both named {}", sheet.file,
                                  first->second, c, shown(sheet.names[c])),
                      {Remedy::Action::drop_column, std::to_string(c)});
  }
}

[[noreturn]] void refuse_field_count(const Sheet& sheet, Index row, Index found) {
  throw DataError(fmt::format("{}: {} field{} found, {} expected (as in line 1)", sheet.place(row),
                              found, found == 1 ? "" : "s", sheet.columns()));
}

[[noreturn]] void refuse_text(const Sheet& sheet, Index row, Index column, std::string_view cell) {
  const std::string& name = sheet.names[column];
  // A header that reads like the cell is no header: the number is the surer way to the column.
  const bool use_name = sheet.has_header && name != cell && !name.empty();
  const std::string handle = use_name ? name : std::to_string(column);
  throw DataError(fmt::format("{}: column {} ({}): {} is not a number", sheet.place(row), column,
                              name, shown(cell)),
                  {Remedy::Action::give_column_a_role, handle});
}

/// Parses rows of a sheet into a table of T. Remembers the first bad row of each piece of work
/// instead of throwing, so that the message does not depend on the schedule.
template <std::floating_point T>
class RowParser {
 public:
  RowParser(const Sheet& sheet, const ColumnRoles& roles, Table& table)
      : sheet_(sheet), targets_(static_cast<std::size_t>(sheet.columns()), kDropped) {
    const Index cols = std::ssize(roles.features);
    const auto rows = static_cast<std::size_t>(sheet.rows());
    for (Index r = 0; r < cols; ++r) targets_[roles.features[r]] = r;
    if (roles.label) targets_[*roles.label] = kLabel;
    if (roles.id) targets_[*roles.id] = kId;
    if (roles.label) table.label_texts.resize(rows);
    if (roles.id) table.sample_ids.resize(rows);
    labels_ = table.label_texts.data();
    ids_ = table.sample_ids.data();
    data_ = &table.data.emplace<DenseTable<T>>();
    data_->rows = sheet.rows();
    data_->cols = cols;
    data_->values.resize(rows * static_cast<std::size_t>(cols));
  }

  void parse() {
    const Index rows = sheet_.rows();
    const Index bytes_per_row = (sheet_.starts.back() - sheet_.starts.front()) / rows + 1;
    const Index grain = std::max<Index>(1, kBytesPerPiece / bytes_per_row);
    std::vector<Index> bad_rows(static_cast<std::size_t>((rows + grain - 1) / grain), -1);
    parallel_for(rows, grain, [&](Index begin, Index end) {
      std::string scratch;
      for (Index i = begin; i < end; ++i)
        if (!parse_row(i, scratch)) {
          bad_rows[begin / grain] = i;
          return;
        }
    });
    for (const Index row : bad_rows)
      if (row >= 0) explain(row);
  }

 private:
  static constexpr Index kDropped = -1;
  static constexpr Index kLabel = -2;
  static constexpr Index kId = -3;

  bool parse_row(Index row, std::string& scratch) {
    const std::string_view record = sheet_.record(row);
    const char* position = record.data();
    const char* const end = position + record.size();
    T* const out = data_->values.data() + row * data_->cols;
    const Index last = sheet_.columns() - 1;
    for (Index c = 0;; ++c) {
      if (!parse_cell(position, end, row, targets_[c], out, scratch)) return false;
      if (c == last) return position == end;
      if (position == end) return false;
      ++position;
    }
  }

  /// Reads the cell at `position` and moves to its end.
  bool parse_cell(const char*& position, const char* end, Index row, Index target, T* out,
                  std::string& scratch) {
    if (target >= 0) {
      // Nearly every cell is a bare number: read it without looking for its end first.
      const char* stop = read_decimal(position, text_end_, out[target]);
      if (stop == nullptr || stop > end) {
        const auto [general_stop, code] = std::from_chars(position, end, out[target]);
        stop = code == std::errc{} ? general_stop : nullptr;
      }
      if (stop != nullptr && (stop == end || *stop == sheet_.dialect.delimiter)) [[likely]] {
        position = stop;
        return true;
      }
    }
    const std::string_view text = next_field(position, end, sheet_.dialect, scratch);
    if (target >= 0) return parse_number(text, out[target]);
    if (target == kLabel) labels_[row] = text;
    if (target == kId) ids_[row] = text;
    return true;
  }

  [[noreturn]] void explain(Index row) const {
    const std::vector<std::string> cells = split_record(sheet_.record(row), sheet_.dialect);
    if (std::ssize(cells) != sheet_.columns()) refuse_field_count(sheet_, row, std::ssize(cells));
    Index c = 0;
    while (targets_[c] < 0 || is_number_or_missing(cells[c])) ++c;
    refuse_text(sheet_, row, c, cells[c]);
  }

  const Sheet& sheet_;
  const char* const text_end_ = sheet_.text.data() + sheet_.text.size();
  std::vector<Index> targets_;  // the table's column of each of the file's, or a negative mark
  DenseTable<T>* data_ = nullptr;
  std::string* labels_ = nullptr;
  std::string* ids_ = nullptr;
};

/// A column as it is written: 007 is not 7, and no precision is lost.
std::vector<std::string> texts_of(const Sheet& sheet, Index column) {
  std::vector<std::string> texts;
  for (Index row = 0; row < sheet.rows(); ++row)
    texts.push_back(std::move(split_record(sheet.record(row), sheet.dialect)[column]));
  return texts;
}

/// Ids that were only presumed must be distinct texts, else the column was a feature; those of a
/// column without a name may be anything, and are left out if they name several rows alike.
void check_presumed_ids(const Sheet& sheet, Index column, Table& table) {
  const std::vector<std::string>& ids = table.sample_ids;
  const std::unordered_set<std::string_view> distinct(ids.begin(), ids.end());
  const bool are_distinct = distinct.size() == ids.size();
  const bool has_no_name = column == 0 && sheet.has_unnamed_first;
  if (!has_no_name && (!are_distinct || !std::ranges::none_of(ids, is_number_or_missing)))
    refuse_text(sheet, 0, column, ids.front());
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

}  // namespace

bool looks_like_tsv(ByteSource& source) {
  return detect_delimiter(trim_text(source.name(), source.rest())) == '\t';
}

Table read_csv(ByteSource& source, const ReadOptions& options) {
  const Sheet sheet = open_sheet(source, options);
  ColumnRoles roles = assign_roles(sheet.file, sheet.names, sheet.has_header, options);
  const std::optional<Index> presumed = presumed_ids(sheet, roles, options);
  if (presumed) {
    roles.id = roles.features[*presumed];
    roles.features.erase(roles.features.begin() + *presumed);
    roles.is_kept.erase(roles.is_kept.begin() + *presumed);
  }
  check_names(sheet, roles);

  Table table;
  if (options.precision == Precision::single)
    RowParser<float>(sheet, roles, table).parse();
  else
    RowParser<double>(sheet, roles, table).parse();
  for (const Index c : roles.features) table.feature_names.push_back(sheet.names[c]);
  if (roles.label && sheet.has_header) table.label_name = sheet.names[*roles.label];
  table.notes = std::move(roles.notes);
  if (presumed) check_presumed_ids(sheet, *roles.id, table);
  if (const auto taken = set_ids_apart(table, roles.is_kept))
    table.sample_ids = texts_of(sheet, roles.features[*taken]);
  return table;
}

}  // namespace tamis
