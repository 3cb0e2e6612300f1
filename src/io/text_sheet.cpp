#include "io/text_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "io/columns.hpp"
#include "io/plain_text.hpp"
#include "io/text_columns.hpp"
#include "io/turned.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Cells = std::vector<std::string>;

/// Excel's first line "sep=;" says what separates the fields.
std::optional<char> announced_separator(std::string_view text) {
  constexpr std::string_view kWord = "sep=";
  if (text.size() <= kWord.size() || lower_case(text.substr(0, kWord.size())) != kWord)
    return std::nullopt;
  const std::string_view rest = text.substr(kWord.size() + 1);
  if (!rest.starts_with('\n') && !rest.starts_with("\r\n")) return std::nullopt;
  return text[kWord.size()];
}

Dialect dialect_of(std::string_view text, const ReadOptions& options) {
  const std::optional<char> announced = announced_separator(text);
  Dialect dialect = detect_dialect(text, kTableDelimiters);
  dialect.delimiter = options.separator.value_or(announced.value_or(dialect.delimiter));
  return dialect;
}

bool is_blank(std::string_view record, Dialect dialect) {
  // Tabs that separate are fields without a value.
  const std::string_view blanks = dialect.delimiter == '\t' ? " \r" : " \t\r";
  return record.find_first_not_of(blanks) == std::string_view::npos;
}

Index fields_of(const TextSheet& sheet, Index row) {
  return count_fields(sheet.records[row], sheet.dialect);
}

/// How many fields most records have: those of the first one that is no comment.
Index usual_fields(const TextSheet& sheet) {
  Index fields = 0;
  sheet.records.each([&](Index, std::string_view record) {
    if (begins_like_comment(record) || is_blank(record, sheet.dialect)) return true;
    fields = count_fields(record, sheet.dialect);
    return false;
  });
  return fields;
}

/// A header that stands in a comment: "# id, height".
std::string_view without_mark(std::string_view record) {
  return record.substr(std::min(record.find_first_not_of("# "), record.size()));
}

/// The comment above the table, if it titles its columns: "# id, height, weight".
std::optional<Index> commented_header(const TextSheet& sheet, Index fields) {
  std::optional<Index> last;
  std::optional<Index> found;
  sheet.records.each([&](Index i, std::string_view record) {
    if (is_blank(record, sheet.dialect)) return true;
    if (begins_like_comment(record)) {
      last = record.starts_with('#') ? std::optional(i) : std::nullopt;
      return true;
    }
    const bool is_data =
        last && std::ranges::any_of(split_record(record, sheet.dialect), is_number_of_some_style);
    if (is_data && fields > 1 &&
        count_fields(without_mark(sheet.records[*last]), sheet.dialect) == fields)
      found = last;
    return false;
  });
  return found;
}

void note_lines(TextSheet& sheet, Index count, std::string_view what) {
  if (count > 0) sheet.notes.push_back({fmt::format("{} {}", counted(count, "line"), what)});
}

/// Drops the lines that are no records: comments, and empty lines where a record has several
/// fields. A line that begins like a comment but has the fields of the others is a record.
void drop_other_lines(TextSheet& sheet) {
  const bool is_announced = announced_separator(sheet.text).has_value();
  const Index fields = usual_fields(sheet);
  const std::optional<Index> header = commented_header(sheet, fields);
  std::vector<bool> is_dropped(static_cast<std::size_t>(sheet.rows()), false);
  Index comments = 0;
  Index blanks = 0;
  bool is_above = true;
  sheet.records.each([&](Index i, std::string_view record) {
    const bool is_comment = fields > 0 && begins_like_comment(record) && header != i &&
                            (is_above || count_fields(record, sheet.dialect) != fields);
    const bool is_empty = !is_comment && fields > 1 && is_blank(record, sheet.dialect);
    is_above = is_above && (is_comment || is_empty || (is_announced && i == 0));
    comments += is_comment ? 1 : 0;
    blanks += is_empty ? 1 : 0;
    is_dropped[i] = is_comment || is_empty || (is_announced && i == 0);
    return true;
  });
  if (comments == 0 && blanks == 0 && !is_announced) return;
  sheet.records.drop(is_dropped);
  note_lines(sheet, comments, comments == 1 ? "is a comment" : "are comments");
  note_lines(sheet, blanks, blanks == 1 ? "is empty and skipped" : "are empty and skipped");
  if (sheet.rows() == 0) throw DataError(fmt::format("{}: has no rows", sheet.file));
}

/// Leaves the text of a file where it is, if it is large and its lines are records: nearly every
/// table is so, and then it takes no memory beside its numbers. Returns whether it did.
bool stay_in_file(ByteSource& source, const ReadOptions& options, TextSheet& sheet) {
  if (!source.can_be_read_again()) return false;
  const std::string_view start = source.peek(kDialectBytes + 1);
  if (start.size() <= kDialectBytes || !is_plain_start(start)) return false;
  const std::string_view text = trim_text(sheet.file, start);
  if (announced_separator(text)) return false;
  sheet.dialect = dialect_of(text, options);
  if (sheet.dialect.has_quotes) return false;
  const auto begin = static_cast<std::size_t>(text.data() - start.data());
  sheet.records = {source, begin, sheet.dialect};
  return sheet.records.has(0);
}

bool every_record_ends_with_delimiter(const TextSheet& sheet) {
  bool ends_so = true;
  sheet.records.each([&](Index, std::string_view record) {
    return ends_so = record.ends_with(sheet.dialect.delimiter);
  });
  return ends_so;
}

/// Up to the last cell that is not empty.
Index width_of(const Cells& cells) {
  const auto last = std::ranges::find_if(cells.rbegin(), cells.rend(),
                                         [](const std::string& cell) { return !cell.empty(); });
  return cells.rend() - last;
}

/// Drops lines above the table that hold one text, as people write above a table in a spreadsheet.
/// What follows must be names of columns, all of them texts: a row that lacks every value is none.
void skip_titles(TextSheet& sheet) {
  constexpr Index kMostTitles = 20;
  constexpr std::size_t kLongestTitle = 1000;  // in characters: headers of many columns are longer
  const auto is_title = [&](Index row) {
    const std::string record = sheet.records[row];
    if (record.size() > kLongestTitle) return false;
    const Cells cells = split_record(record, sheet.dialect);
    return width_of(cells) == 0 || (width_of(cells) == 1 && reads_as_text(cells.front()));
  };
  Index titles = 0;
  while (titles < kMostTitles && is_title(titles) && sheet.records.has(titles + 1)) ++titles;
  if (titles == 0 || width_of(sheet.cells(0)) == 0) return;
  const Cells names = sheet.cells(titles);
  const auto is_name = [](const std::string& cell) { return cell.empty() || reads_as_text(cell); };
  if (width_of(names) < 3 || !std::ranges::all_of(names, is_name)) return;
  sheet.notes.push_back({fmt::format("{} above the table {} left out: {} is taken as its title",
                                     counted(titles, "line"), titles == 1 ? "is" : "are",
                                     shown(sheet.cells(0).front()))});
  for (; titles > 0; --titles) sheet.records.drop_first();
}

/// Takes the first record as the names of the columns.
void take_header(TextSheet& sheet, Cells first) {
  sheet.records.drop_first();
  if (!sheet.records.has(0))
    throw DataError(fmt::format("{}: has a header and no rows", sheet.file));
  const Index fields = fields_of(sheet, 0);
  if (std::ssize(first) + 1 == fields) sheet.model_line = sheet.line(0);
  sheet.has_empty_last = std::ssize(first) + 1 == fields && every_record_ends_with_delimiter(sheet);
  if (std::ssize(first) == fields && first.size() > 1 && first.back().empty() &&
      every_record_ends_with_delimiter(sheet)) {
    sheet.has_empty_last = true;
    first.pop_back();
  }
  take_names(sheet, std::move(first), fields - (sheet.has_empty_last ? 1 : 0));
}

void number_columns(TextSheet& sheet, Index fields) {
  sheet.has_empty_last = fields > 2 && every_record_ends_with_delimiter(sheet);
  sheet.names = numbered_names(fields - (sheet.has_empty_last ? 1 : 0));
}

void note_separator(TextSheet& sheet, const ReadOptions& options) {
  if (options.separator || sheet.columns() < 2) return;
  if (sheet.dialect.delimiter == ' ') sheet.notes.push_back({"blanks separate the columns"});
  if (sheet.dialect.delimiter == '|') sheet.notes.push_back({"'|' separates the columns"});
  if (sheet.has_empty_last)
    sheet.notes.push_back({"every row ends with a separator, behind which no column is"});
}

}  // namespace

bool RecordList::has(Index i) const {
  while (i >= found() && may_have_more()) reader_->read_on(starts_);
  return i < found();
}

void RecordList::find_all() const {
  while (may_have_more()) reader_->read_on(starts_);
}

Index RecordList::likely_size() const {
  if (!may_have_more() || found() == 0) return found();
  const auto size = static_cast<double>(reader_->likely_size() - starts_.front());
  const double mean = static_cast<double>(bytes(0, found())) / static_cast<double>(found());
  return std::max(found(), static_cast<Index>(size / mean));
}

std::string RecordList::operator[](Index i) const {
  Buffer<char> held;
  return std::string(piece(i, i + 1, held)[i]);
}

RecordList::Piece RecordList::piece(Index first, Index last, Buffer<char>& held) const {
  if (file_ == nullptr) return {*this, text_.data(), 0, text_.data() + text_.size()};
  if (is_at_hand(first)) return {*this, reader_->bytes(), reader_->offset(), reader_->behind()};
  constexpr std::size_t kBehind = 64;  // so that the last numbers are read as fast as the others
  const std::size_t size = starts_[last] - 1 - starts_[first];
  held.resize(size + kBehind);
  file_->read(starts_[first], std::span(held).first(size));
  std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(size), kBehind, '\n');
  return {*this, held.data(), starts_[first], held.data() + held.size()};
}

Index RecordList::behind(Index first, std::size_t bytes) const {
  const auto last =
      std::lower_bound(starts_.begin() + first + 1, starts_.end() - 1, starts_[first] + bytes);
  return last - starts_.begin();
}

Index RecordList::behind_run(Index first) const {
  if (is_at_hand(first)) return found();
  return file_ != nullptr && file_->goes_forward() ? behind(first, kRunBytes) : found();
}

std::optional<RecordList::Piece> RecordList::run(Index first, Buffer<char>& held) const {
  const bool has_any_order = file_ != nullptr && !is_at_hand(first) && !file_->goes_forward();
  return has_any_order ? std::nullopt : std::optional(piece(first, behind_run(first), held));
}

void RecordList::drop(const std::vector<bool>& is_dropped) {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> ends;
  for (Index i = 0; i < size(); ++i) {
    if (is_dropped[i]) continue;
    starts.push_back(starts_[i]);
    ends.push_back(end(i));
  }
  starts.push_back(starts_.back());
  starts_ = std::move(starts);
  ends_ = std::move(ends);
}

Index TextSheet::line(Index row) const {
  if (records.is_in_file()) return row + records.dropped_first() + 1;
  return line_of(text, text.data() + records.start(row)) - lines_added;
}

void TextSheet::visit(const std::vector<Index>& wanted, const Visit& visit) const {
  std::vector<bool> is_wanted(static_cast<std::size_t>(columns()), false);
  for (const Index c : wanted) is_wanted[c] = true;
  std::string scratch;
  records.each([&](Index row, std::string_view record) {
    const char* position = record.data();
    const char* const end = position + record.size();
    for (Index c = 0; c < columns(); ++c) {
      const std::string_view cell = next_field(position, end, dialect, scratch);
      if (is_wanted[c] && !visit(row, c, is_utf8(cell) ? cell : as_utf8(std::string(cell))))
        return false;
      if (position == end) break;
      skip_delimiter(position, end, dialect);
    }
    return true;
  });
}

std::optional<std::vector<std::string>> TextSheet::texts_of_feature(Index column) const {
  return texts_of(*this, {column}).front();
}

void open_sheet(ByteSource& source, const ReadOptions& options, TextSheet& sheet, KeepText kept) {
  sheet.file = source.name();
  sheet.lines_added = source.lines_added();
  if (options.decimal) sheet.style = {.decimal = *options.decimal, .has_groups = true};
  if (kept == KeepText::in_memory || !stay_in_file(source, options, sheet)) {
    sheet.text = trim_text(sheet.file, plain_text(source, sheet.recoded));
    if (sheet.text.empty()) throw DataError(fmt::format("{}: is empty", sheet.file));
    sheet.dialect = dialect_of(sheet.text, options);
    sheet.records = {sheet.text, record_starts(sheet.file, sheet.text, sheet.dialect),
                     sheet.dialect};
    drop_other_lines(sheet);
  }
  skip_titles(sheet);
  sheet.model_line = sheet.line(0);
  Cells first = sheet.records[0].starts_with('#')
                    ? split_record(without_mark(sheet.records[0]), sheet.dialect)
                    : sheet.cells(0);
  const bool is_short = sheet.records.has(1) && fields_of(sheet, 1) == std::ssize(first) + 1;
  sheet.has_header = options.has_header.value_or(looks_like_header(first, options) ||
                                                 (is_short && first.size() > 1));
  if (sheet.has_header)
    take_header(sheet, std::move(first));
  else
    number_columns(sheet, std::ssize(first));
  make_utf8(sheet.names, sheet.notes);
  make_unique(sheet.names, sheet.notes);
  note_separator(sheet, options);
}

}  // namespace tamis
