#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "core/counted.hpp"
#include "io/categories.hpp"
#include "io/columns.hpp"
#include "io/decimal.hpp"
#include "io/id_columns.hpp"
#include "io/plain_text.hpp"
#include "io/text_columns.hpp"
#include "io/text_sheet.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBytesPerPiece = Index{1} << 18;

bool is_text(const std::string& cell) { return !is_number_of_some_style(cell) && !truth_of(cell); }

/// The feature that may hold ids that nobody asked for: a first column without a name or of texts,
/// or a column that is named like ids and begins with a text. All its cells are judged once they
/// are read.
std::optional<Index> presumed_ids(const TextSheet& sheet, const ColumnRoles& roles,
                                  const ReadOptions& options) {
  if (!sheet.has_header || options.id_column || roles.features.size() < 2) return std::nullopt;
  const std::vector<std::string> first = sheet.cells(0);
  for (Index r = 0; r < std::ssize(roles.features); ++r) {
    const Index c = roles.features[r];
    if (roles.is_kept[r]) continue;
    if (c == 0 && sheet.has_unnamed_first) return r;
    if (c < std::ssize(first) && (c == 0 || names_ids(sheet.names[c])) && is_text(first[c]))
      return r;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_field_count(const TextSheet& sheet, Index row) {
  const Index found = count_fields(sheet.records[row], sheet.dialect);
  throw DataError(fmt::format("{}: {} field{} found, {} expected (as in line {})", sheet.place(row),
                              found, found == 1 ? "" : "s", sheet.fields(), sheet.model_line));
}

/// Parses rows of a sheet into a table of T. Remembers the first bad row of each piece of work, so
/// that what is said does not depend on the schedule.
template <std::floating_point T>
class RowParser {
 public:
  RowParser(const TextSheet& sheet, const ColumnRoles& roles, Table& table)
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
    has_truths_.resize(static_cast<std::size_t>(cols), 0);
  }

  /// The first row that is not as it should be, if any.
  std::optional<Index> parse() {
    const Index rows = sheet_.rows();
    const Index bytes_per_row = sheet_.records.bytes() / rows + 1;
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
      if (row >= 0) return row;
    return std::nullopt;
  }

  /// The features that hold true or false.
  std::vector<Index> truths() const {
    std::vector<Index> features;
    for (Index r = 0; r < std::ssize(has_truths_); ++r)
      if (has_truths_[r] != 0) features.push_back(r);
    return features;
  }

 private:
  static constexpr Index kDropped = -1;
  static constexpr Index kLabel = -2;
  static constexpr Index kId = -3;

  bool parse_row(Index row, std::string& scratch) {
    const std::string_view record = sheet_.records[row];
    const char* position = record.data();
    const char* const end = position + record.size();
    T* const out = data_->values.data() + row * data_->cols;
    const Index last = sheet_.columns() - 1;
    for (Index c = 0;; ++c) {
      if (!read_cell(position, end, row, targets_[c], out, scratch)) return false;
      if (c == last) return position + (sheet_.has_empty_last ? 1 : 0) == end;
      if (position == end) return false;
      skip_delimiter(position, end, sheet_.dialect);
    }
  }

  /// Reads the cell at `position` and moves to its end.
  bool read_cell(const char*& position, const char* end, Index row, Index target, T* out,
                 std::string& scratch) {
    if (target >= 0 && is_plain_) {
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
    if (target >= 0) return read_text(text, target, out[target]);
    if (target == kLabel) labels_[row] = text;
    if (target == kId) ids_[row] = text;
    return true;
  }

  bool read_text(std::string_view text, Index target, T& value) {
    if (!parse_cell(text, sheet_.style, value)) return false;
    if (truth_of(text)) std::atomic_ref(has_truths_[target]).store(1, std::memory_order_relaxed);
    return true;
  }

  const TextSheet& sheet_;
  const bool is_plain_ = sheet_.style.is_plain();
  const char* const text_end_ = sheet_.text.data() + sheet_.text.size();
  std::vector<Index> targets_;  // the table's column of each of the file's, or a negative mark
  DenseTable<T>* data_ = nullptr;
  std::string* labels_ = nullptr;
  std::string* ids_ = nullptr;
  std::vector<unsigned char> has_truths_ = {};  // of each feature
};

void note_style(TextSheet& sheet, const StyleVotes& votes) {
  const std::string example = votes.example();
  double value = 0.0;
  parse_cell(example, sheet.style, value);
  sheet.notes.push_back(
      {fmt::format("{}: {} is read as {}",
                   sheet.style.decimal == ',' ? "a comma is taken as the decimal sign"
                                              : "thousands are taken to be set apart",
                   shown(example), value),
       {Remedy::Action::say_decimal}});
}

/// Takes columns of text out of the features.
void set_apart(const std::vector<TextColumn>& texts, ColumnRoles& roles) {
  for (const TextColumn& text : texts) {
    const auto place = std::ranges::find(roles.features, text.column) - roles.features.begin();
    roles.features.erase(roles.features.begin() + place);
    roles.is_kept.erase(roles.is_kept.begin() + place);
    roles.texts.push_back(text.column);
  }
}

/// Cells that are no plain numbers: finds the style that reads them, and sets columns of text apart
/// that are to be encoded.
/// @throws DataError if there is no style, naming the columns that hold text
void find_style(TextSheet& sheet, ColumnRoles& roles, const ReadOptions& options) {
  if (!options.decimal) {
    const StyleVotes votes = style_votes(sheet, roles.features);
    if (const auto cell = votes.undecided())
      throw DataError(fmt::format("{}: whether the comma of {} is a decimal sign or sets thousands "
                                  "apart cannot be told",
                                  sheet.file, shown(*cell)),
                      {Remedy::Action::say_decimal});
    sheet.style = votes.winner();
    if (!sheet.style.is_plain()) note_style(sheet, votes);
  }
  const std::vector<TextColumn> texts = text_columns(sheet, roles.features);
  if (texts.empty()) return;
  if (options.encode == Encode::refuse) refuse_texts(sheet, texts);
  set_apart(texts, roles);
}

void note_truths(TextSheet& sheet, const ColumnRoles& roles, const std::vector<Index>& truths) {
  if (truths.empty()) return;
  sheet.notes.push_back({fmt::format(
      "{} {} true and false, read as 1 and 0",
      truths.size() == 1 ? fmt::format("column {}", shown(sheet.names[roles.features[truths[0]]]))
                         : counted(std::ssize(truths), "column"),
      truths.size() == 1 ? "holds" : "hold")});
}

template <std::floating_point T>
void parse_rows(TextSheet& sheet, ColumnRoles& roles, const ReadOptions& options, Table& table) {
  const auto is_ragged = [&](std::optional<Index> row) {
    return row && count_fields(sheet.records[*row], sheet.dialect) != sheet.fields();
  };
  std::optional<Index> bad_row;
  do {
    RowParser<T> parser(sheet, roles, table);
    bad_row = parser.parse();
    if (is_ragged(bad_row)) refuse_field_count(sheet, *bad_row);
    if (bad_row)
      find_style(sheet, roles, options);
    else
      note_truths(sheet, roles, parser.truths());
  } while (bad_row);
}

/// Ids that were only presumed must be distinct texts, else the column was a feature; those of a
/// column without a name may be anything, and are left out if they name several rows alike.
void check_presumed_ids(const TextSheet& sheet, Encode encode, ColumnRoles& roles, Table& table) {
  const Index column = *roles.id;
  const std::vector<std::string>& ids = table.sample_ids;
  const std::unordered_set<std::string_view> distinct(ids.begin(), ids.end());
  const bool are_distinct = distinct.size() == ids.size();
  const bool has_no_name = column == 0 && sheet.has_unnamed_first;
  if (!has_no_name && !(are_distinct && std::ranges::all_of(ids, is_text))) {
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

}  // namespace

bool looks_like_tsv(ByteSource& source) {
  std::string recoded;
  const std::string_view text = trim_text(source.name(), plain_text(source, recoded));
  return detect_delimiter(text, kTableDelimiters) == '\t';
}

namespace {

Table read_sheet(ByteSource& source, const ReadOptions& options) {
  TextSheet sheet;
  open_sheet(source, options, sheet);
  ColumnRoles roles =
      assign_roles(sheet.file, sheet.names, sheet.has_header && !options.transpose, options);
  const std::optional<Index> presumed = presumed_ids(sheet, roles, options);
  if (presumed) {
    roles.id = roles.features[*presumed];
    roles.features.erase(roles.features.begin() + *presumed);
    roles.is_kept.erase(roles.is_kept.begin() + *presumed);
  }

  Table table;
  if (options.precision == Precision::single)
    parse_rows<float>(sheet, roles, options, table);
  else
    parse_rows<double>(sheet, roles, options, table);
  for (const Index c : roles.features) table.feature_names.push_back(sheet.names[c]);
  if (roles.label && sheet.has_header) table.label_name = sheet.names[*roles.label];
  table.notes = std::move(sheet.notes);
  std::ranges::move(roles.notes, std::back_inserter(table.notes));
  if (options.transpose) return table;
  if (presumed) check_presumed_ids(sheet, options.encode, roles, table);
  if (const auto taken = set_ids_apart(table, roles.is_kept))
    table.sample_ids = texts_of(sheet, {roles.features[*taken]}).front();
  encode_texts(sheet, roles.texts, options.encode, table);
  if (table.cols() == 0)
    throw DataError(fmt::format("{}: none of its {} columns is left as a feature", sheet.file,
                                sheet.columns()));
  return table;
}

/// Whatever options say of columns is meant of those that rows become.
Table read_turned(ByteSource& source, const ReadOptions& options) {
  ReadOptions as_stored = options;
  as_stored.label_column = std::nullopt;
  as_stored.drop = as_stored.keep = {};
  as_stored.precision = Precision::as_stored;
  as_stored.encode = Encode::refuse;  // its columns are rows
  Table table = read_sheet(source, as_stored);
  ReadOptions turned = options;
  turned.id_column = std::nullopt;
  apply_options(source.name(), table, turned);
  return table;
}

}  // namespace

Table read_csv(ByteSource& source, const ReadOptions& options) {
  return options.transpose ? read_turned(source, options) : read_sheet(source, options);
}

}  // namespace tamis
