#include "io/json_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "io/cell_sheet.hpp"
#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;

/// The characters of a source, of which a piece at a time is in memory.
class Characters {
 public:
  explicit Characters(ByteSource& source) : source_(source) {}

  bool is_at_end() {
    if (position_ == end_ && !is_done_) fetch();
    return position_ == end_;
  }
  char current() const { return piece_[position_]; }
  void advance() { line_ += piece_[position_++] == '\n' ? 1 : 0; }
  void skip_blanks() {
    while (!is_at_end() && std::string_view(" \t\r\n").find(current()) != std::string_view::npos)
      advance();
  }
  /// Of the current character, from 1.
  Index line() const { return line_; }

 private:
  void fetch() {
    position_ = 0;
    end_ = source_.read(piece_.data(), piece_.size());
    is_done_ = end_ < piece_.size();
  }

  ByteSource& source_;
  std::array<char, std::size_t{1} << 16> piece_ = {};
  std::size_t position_ = 0;
  std::size_t end_ = 0;
  bool is_done_ = false;
  Index line_ = 1;
};

/// The same for nlohmann/json; without characters it is the end.
class CharacterIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit CharacterIterator(Characters* characters = nullptr) : characters_(characters) {}
  char operator*() const { return characters_->current(); }
  CharacterIterator& operator++() {
    characters_->advance();
    return *this;
  }
  bool operator!=(const CharacterIterator&) const { return !characters_->is_at_end(); }

 private:
  Characters* characters_;
};

/// What nlohmann/json says, without its own numbering of errors.
std::string reason_of(const Json::exception& error) {
  const std::string_view what = error.what();
  const std::size_t end_of_name = what.find("] ");
  return std::string(end_of_name == std::string_view::npos ? what : what.substr(end_of_name + 2));
}

/// The names of rows in objects that stand for columns: each column has to repeat them. Those that
/// count from 0 are not held.
class RowKeys {
 public:
  explicit RowKeys(const std::string& file) : file_(file) {}

  void begin_column() { next_ = 0; }
  void see(const std::string& key) {
    const Index row = next_++;
    if (row == count_) return add(key);
    const std::string known = row < count_ ? name(row) : "";
    if (row < count_ && key != known)
      throw DataError(fmt::format("{}: row {} of a column is {}, that of another {}", file_, row,
                                  shown(known), shown(key)));
  }
  /// Only the first column adds rows.
  void end_column() { is_closed_ = true; }

  bool count_from_zero() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const std::string& key) {
    if (is_closed_) return;  // a column too long, which its length will tell
    if (names_.empty() && key == std::to_string(count_)) {
      ++count_;
      return;
    }
    if (names_.empty())
      for (Index i = 0; i < count_; ++i) names_.push_back(std::to_string(i));
    names_.push_back(key);
    ++count_;
  }
  std::string name(Index row) const { return names_.empty() ? std::to_string(row) : names_[row]; }

  const std::string& file_;
  std::vector<std::string> names_ = {};
  Index count_ = 0;
  Index next_ = 0;
  bool is_closed_ = false;
};

/// Makes rows or columns of cells while values are parsed: one document, or one for each line.
/// Which it is, and what shape a document has, shows at its end: until then both are kept apart.
class TableParser final : public nlohmann::json_sax<Json> {
 public:
  explicit TableParser(const std::string& file)
      : file_(file), rows_(file), columns_(file), keys_(file) {}

  /// @throws DataError if it cannot be one of several
  void begin_value(Index line) {
    line_ = line;
    if (++values_ > 1 && !nested_.empty()) refuse_cell(shown(nested_), 0, nested_kind_);
  }

  /// After the last value.
  Table read(const ReadOptions& options) &&;

  bool null() override { return scalar(kMissingCell); }
  bool boolean(bool value) override { return scalar(value ? 1.0 : 0.0); }
  bool number_integer(std::int64_t value) override { return scalar(target().whole_cell(value)); }
  bool number_unsigned(std::uint64_t value) override { return scalar(target().whole_cell(value)); }
  bool number_float(double value, const std::string&) override { return scalar(value); }
  bool string(std::string& value) override {
    return within() == Within::ignored || scalar(target().text_cell(value));
  }
  bool binary(Json::binary_t&) override { return false; }

  bool key(std::string& name) override {
    if (within() == Within::column) keys_.see(name);
    if (within() == Within::record || within() == Within::object) key_ = name;
    return true;
  }
  bool start_object(std::size_t) override { return open(Within::record, "an object"); }
  bool start_array(std::size_t) override { return open(Within::row, "a list"); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    const std::string place = values_ > 1 ? fmt::format("{}:{}", file_, line_) : file_;
    throw DataError(fmt::format("{}: {}", place, reason_of(error)));
  }

 private:
  /// What the innermost list or object is.
  enum class Within {
    nothing,
    list,     ///< all of a value: records, rows, or cells
    object,   ///< all of a value: columns, or cells of a record
    column,   ///< a member of it, with cells
    data,     ///< a member of it, with records or rows
    ignored,  ///< a member of it that says nothing about cells, or a part of one
    record,
    row
  };

  Within within() const { return path_.empty() ? Within::nothing : path_.back(); }
  /// Where a text is kept.
  CellSheet& target() { return within() == Within::column ? columns_ : rows_; }

  bool open(Within kind, const char* what);
  Within next_within(Within kind, const char* what);
  Within open_member(Within kind, const char* what);
  Within open_in_column(Within kind, const char* what);
  bool close();
  void close_column();
  bool scalar(Cell cell);
  void put(Cell cell);
  void end_row(Index line);

  [[noreturn]] void refuse_row(const std::string& text) const {
    throw DataError(
        fmt::format("{}: {} is neither a record nor a list of cells", file_, shown(text)));
  }
  [[noreturn]] void refuse_cell(const std::string& column, Index row, const char* what) const {
    throw DataError(fmt::format("{}: record {}: column {} holds {}, not a number or a text", file_,
                                row + 1, column, what));
  }

  std::optional<Index> column_called(std::string_view name) const {
    const auto found = std::ranges::find(columns_names_, name);
    return found == columns_names_.end() ? std::nullopt
                                         : std::optional(found - columns_names_.begin());
  }
  /// Texts of one sheet as cells of another.
  static std::vector<Cell> cells_of(const std::vector<std::string>& texts, CellSheet& sheet) {
    std::vector<Cell> cells;
    for (const std::string& text : texts) cells.push_back(sheet.text_cell(text));
    return cells;
  }
  Table read_rows(std::vector<std::string> names, const ReadOptions& options);
  Table read_split(Index names, const ReadOptions& options);
  Table read_columns(const ReadOptions& options);

  const std::string& file_;
  std::vector<Within> path_ = {};
  Index values_ = 0;
  Index line_ = 1;  // of the value

  CellSheet rows_;
  Index n_rows_ = 0;
  std::vector<Cell> row_ = {};
  std::string key_ = {};                 // of the cell or member that comes
  std::vector<std::string> names_ = {};  // of what records hold
  std::unordered_map<std::string, std::size_t> places_ = {};
  std::size_t place_ = 0;                  // where the next cell of a record should be
  bool is_loose_ = false;                  // a list of cells is a row if other values follow
  bool has_scalars_ = false;               // an object is a record
  std::optional<std::string> loose_ = {};  // the first of such cells

  CellSheet columns_;
  std::vector<std::string> columns_names_ = {};
  RowKeys keys_;
  std::vector<Cell> column_ = {};
  bool is_list_ = false;      // the column
  bool has_lists_ = false;    // of cells
  bool has_objects_ = false;  // likewise
  bool has_data_ = false;
  bool has_schema_ = false;
  std::string nested_ = {};  // the first member that is a list or an object
  const char* nested_kind_ = "";
};

bool TableParser::open(Within kind, const char* what) {
  constexpr std::size_t kDeepest = 16;  // no table is deeper
  if (path_.size() == kDeepest)
    throw DataError(
        fmt::format("{}: lists and objects lie more than {} deep in each other", file_, kDeepest));
  const Within next = next_within(kind, what);
  path_.push_back(next);
  if (next == Within::row || next == Within::list) row_.clear();
  if (next == Within::record || next == Within::object) row_.assign(names_.size(), kMissingCell);
  place_ = 0;
  return true;
}

TableParser::Within TableParser::next_within(Within kind, const char* what) {
  switch (within()) {
    case Within::nothing:
      is_loose_ = has_scalars_ = false;
      return kind == Within::record ? Within::object : Within::list;
    case Within::list:
      if (is_loose_) refuse_row(*loose_);
      return kind;
    case Within::object:
      return open_member(kind, what);
    case Within::column:
      return open_in_column(kind, what);
    case Within::data:
      return kind;
    case Within::ignored:
      return Within::ignored;
    case Within::record:
      refuse_cell(shown(key_), n_rows_, what);
    case Within::row:
      break;
  }
  const std::size_t column = row_.size();
  refuse_cell(column < names_.size() ? shown(names_[column]) : std::to_string(column), n_rows_,
              what);
}

TableParser::Within TableParser::open_member(Within kind, const char* what) {
  if (values_ > 1) refuse_cell(shown(key_), n_rows_, what);
  is_list_ = kind == Within::row;
  if (nested_.empty()) {
    nested_ = key_;
    nested_kind_ = what;
  }
  if (!is_list_ && key_ == "schema") {
    has_schema_ = true;
    return Within::ignored;
  }
  column_.clear();
  keys_.begin_column();
  return Within::column;
}

TableParser::Within TableParser::open_in_column(Within kind, const char* what) {
  if (is_list_ && key_ == "data" && column_.empty()) {
    has_data_ = true;
    path_.back() = Within::data;
    return kind;
  }
  if (is_list_ && key_ == "index") return Within::ignored;
  if (is_list_ && key_ == "columns")
    throw DataError(fmt::format("{}: the name of column {} is no text", file_, column_.size()));
  refuse_cell(shown(key_), std::ssize(column_), what);
}

bool TableParser::close() {
  const Within closed = within();
  path_.pop_back();
  if (closed == Within::record || closed == Within::row) end_row(n_rows_ + 1);
  if (closed == Within::column) close_column();
  if (closed == Within::list && is_loose_) end_row(line_);
  if (closed == Within::object && has_scalars_ && nested_.empty()) end_row(line_);
  return true;
}

void TableParser::close_column() {
  if (is_list_ && key_ == "data" && column_.empty()) {
    has_data_ = true;
    return;
  }
  (is_list_ ? has_lists_ : has_objects_) = true;
  columns_.add_column(column_);
  columns_names_.push_back(key_);
  keys_.end_column();
}

bool TableParser::scalar(Cell cell) {
  switch (within()) {
    case Within::list:
      if (n_rows_ > 0 && values_ == 1) refuse_row(rows_.text_of(cell));
      if (!loose_) loose_ = rows_.text_of(cell);
      is_loose_ = true;
      row_.push_back(cell);
      break;
    case Within::nothing:
    case Within::data:
      refuse_row(rows_.text_of(cell));
    case Within::object:
      has_scalars_ = true;
      put(cell);
      break;
    case Within::record:
      put(cell);
      break;
    case Within::row:
      row_.push_back(cell);
      break;
    case Within::column:
      column_.push_back(cell);
      break;
    case Within::ignored:
      break;
  }
  return true;
}

/// A cell of a record. Most records have their columns in the same order.
void TableParser::put(Cell cell) {
  if (place_ >= names_.size() || names_[place_] != key_) {
    const auto [found, is_new] = places_.emplace(key_, names_.size());
    if (is_new) names_.push_back(key_);
    place_ = found->second;
  }
  if (place_ >= row_.size()) row_.resize(place_ + 1, kMissingCell);
  row_[place_++] = cell;
}

void TableParser::end_row(Index line) {
  rows_.add_row(row_, line);
  ++n_rows_;
}

Table TableParser::read(const ReadOptions& options) && {
  if (values_ == 1 && loose_) refuse_row(*loose_);
  const std::optional<Index> names = column_called("columns");
  if (has_data_ && names) return read_split(*names, options);
  if (has_data_ && has_schema_) return read_rows(names_, options);
  if (nested_.empty()) return read_rows(names_, options);
  if (has_scalars_ || has_data_ || has_schema_ || has_lists_ == has_objects_)
    refuse_cell(shown(nested_), 0, nested_kind_);
  return read_columns(options);
}

Table TableParser::read_rows(std::vector<std::string> names, const ReadOptions& options) {
  if (!names.empty()) rows_.set_names(std::move(names));
  return std::move(rows_).read(options);
}

/// As pandas writes with orient split: names of columns, and rows. An index of texts names the
/// rows.
Table TableParser::read_split(Index names, const ReadOptions& options) {
  std::vector<std::string> all = columns_.column_texts(names);
  if (const auto index = column_called("index"); index && columns_.has_texts(*index)) {
    rows_.set_row_names(cells_of(columns_.column_texts(*index), rows_));
    all.insert(all.begin(), "");
  }
  return read_rows(std::move(all), options);
}

/// A list of cells for each column, or, as pandas writes by default, an object with the names of
/// rows.
Table TableParser::read_columns(const ReadOptions& options) {
  if (has_objects_ && !keys_.count_from_zero()) {
    columns_.set_row_names(cells_of(keys_.names(), columns_));
    columns_names_.insert(columns_names_.begin(), "");
  }
  columns_.set_names(std::move(columns_names_));
  return std::move(columns_).read(options);
}

}  // namespace

bool looks_like_json(ByteSource& source) {
  constexpr std::size_t kBytesToSee = 256;
  std::string_view start = source.peek(kBytesToSee);
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const auto skip_blanks = [&] {
    start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  };
  skip_blanks();
  const bool is_open = start.starts_with('{') || start.starts_with('[');
  if (!is_open) return false;
  start.remove_prefix(1);
  skip_blanks();
  return start.empty() ||
         std::string_view("\"{[]}-0123456789tfn").find(start.front()) != std::string_view::npos;
}

Table read_json(ByteSource& source, const ReadOptions& options) {
  Characters characters(source);
  TableParser parser(source.name());
  for (characters.skip_blanks(); !characters.is_at_end(); characters.skip_blanks()) {
    parser.begin_value(characters.line());
    Json::sax_parse(CharacterIterator(&characters), CharacterIterator(), &parser,
                    Json::input_format_t::json, /*strict=*/false);
  }
  return std::move(parser).read(options);
}

}  // namespace tamis
