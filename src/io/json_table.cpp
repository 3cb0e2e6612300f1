#include "io/json_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "io/cell_text.hpp"
#include "io/delimited.hpp"
#include "io/words.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;  // columns stay in the order of the file

/// Rows of cells whose columns are known only at the end, as records need not have all of them.
class Rows {
 public:
  explicit Rows(const std::string& file) : file_(file) {}

  void name_columns(const std::vector<std::string>& names) {
    for (const std::string& name : names) column_of(name);
  }
  /// A record: values by name.
  void add_record(Json& record) {
    std::vector<Json> cells(names_.size());
    for (auto& [name, value] : record.items()) {
      const auto column = static_cast<std::size_t>(column_of(name));
      if (column >= cells.size()) cells.resize(column + 1);
      cells[column] = std::move(value);
    }
    add_cells(cells);
  }
  void add_cells(const std::vector<Json>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (cells[c].is_structured())
        throw DataError(fmt::format("{}: record {}: column {} holds {}, not a number or a text",
                                    file_, rows_.size() + 1,
                                    c < names_.size() ? shown(names_[c]) : std::to_string(c),
                                    cells[c].is_object() ? "an object" : "a list"));
    rows_.push_back(cells);
  }

  Table read(ReadOptions options) && {
    if (rows_.empty()) throw DataError(fmt::format("{}: holds no rows", file_));
    CellText text;
    if (!names_.empty()) {
      for (const std::string& name : names_) text.add(name);
      text.end_row();
      options.has_header = true;
    }
    for (std::vector<Json>& row : rows_) {
      row.resize(std::max(row.size(), names_.size()));
      for (const Json& cell : row) add_cell(text, cell);
      text.end_row();
      std::vector<Json>().swap(row);
    }
    return std::move(text).read(file_, std::move(options), names_.empty() ? 0 : 1);
  }

 private:
  Index column_of(const std::string& name) {
    const auto [found, is_new] = columns_.emplace(name, std::ssize(names_));
    if (is_new) names_.push_back(name);
    return found->second;
  }

  static void add_cell(CellText& text, const Json& cell) {
    if (cell.is_null())
      text.add_missing();
    else if (cell.is_string())
      text.add(cell.get_ref<const std::string&>());
    else if (cell.is_boolean())
      text.add(cell.get<bool>() ? 1.0 : 0.0);
    else if (cell.is_number_float())
      text.add(cell.get<double>());
    else
      text.add(cell.dump());  // whole numbers keep all digits
  }

  const std::string& file_;
  std::vector<std::string> names_ = {};
  std::unordered_map<std::string, Index> columns_ = {};
  std::vector<std::vector<Json>> rows_ = {};
};

/// What nlohmann/json says, without its own numbering of errors.
std::string reason_of(const Json::exception& error) {
  const std::string_view what = error.what();
  const std::size_t end_of_name = what.find("] ");
  return std::string(end_of_name == std::string_view::npos ? what : what.substr(end_of_name + 2));
}

void add_row(Rows& rows, const std::string& file, Json& value) {
  if (value.is_object()) return rows.add_record(value);
  if (value.is_array()) return rows.add_cells(value.get_ref<Json::array_t&>());
  throw DataError(
      fmt::format("{}: {} is neither a record nor a list of cells", file, shown(value.dump())));
}

/// No table is deeper; and nlohmann/json needs stack for each level.
void check_depth(const std::string& file, int depth) {
  constexpr int kDeepest = 16;
  if (depth > kDeepest)
    throw DataError(
        fmt::format("{}: lists and objects lie more than {} deep in each other", file, kDeepest));
}

/// Whether each line is a value by itself: then the first one is, and more follow it.
bool is_lines(std::string_view text) {
  const std::string_view first = take_line(text);
  return text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
         first.find_first_not_of(kBlanks) != std::string_view::npos && Json::accept(first);
}

void read_lines(const std::string& file, std::string_view text, Rows& rows) {
  for (Index number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
    try {
      Json value = Json::parse(line, [&](int depth, Json::parse_event_t, const Json&) {
        check_depth(file, depth);
        return true;
      });
      add_row(rows, file, value);
    } catch (const Json::exception& error) {
      throw DataError(fmt::format("{}:{}: {}", file, number, reason_of(error)));
    }
  }
}

std::vector<std::string> names_of(const std::string& file, const Json& columns) {
  std::vector<std::string> names;
  for (const Json& each : columns) {
    if (each.is_structured())
      throw DataError(fmt::format("{}: the name of column {} is no text", file, names.size()));
    names.push_back(each.is_string() ? each.get<std::string>() : each.dump());
  }
  return names;
}

bool is_list(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_array();
}

/// As pandas writes with orient split: names of columns, and rows. An index of texts names the
/// rows.
void read_split(const std::string& file, Json& table, Rows& rows) {
  const bool has_ids = is_list(table, "index") &&
                       std::ranges::any_of(table["index"], [](auto& id) { return id.is_string(); });
  std::vector<std::string> names = names_of(file, table["columns"]);
  if (has_ids) names.insert(names.begin(), "");
  rows.name_columns(names);
  std::size_t number = 0;
  for (Json& row : table["data"]) {
    if (row.is_array() && has_ids) {
      Json& index = table["index"];
      row.insert(row.begin(), number < index.size() ? std::move(index[number]) : Json());
    }
    ++number;
    add_row(rows, file, row);
  }
}

/// A list for each column, all of one length.
void read_column_lists(const std::string& file, Json& table, Rows& rows) {
  const std::size_t length = table.begin()->size();
  std::vector<std::string> names;
  for (const auto& [name, list] : table.items()) {
    names.push_back(name);
    if (list.size() != length)
      throw DataError(fmt::format("{}: column {} has {} cells, column {} has {}", file,
                                  shown(table.begin().key()), length, shown(name), list.size()));
  }
  rows.name_columns(names);
  for (std::size_t i = 0; i < length; ++i) {
    Json::array_t cells;
    for (Json& list : table) cells.push_back(std::move(list[i]));
    rows.add_cells(cells);
  }
}

bool counts_from_zero(const Json& column) {
  Index next = 0;
  for (const auto& [name, cell] : column.items())
    if (name != std::to_string(next++)) return false;
  return true;
}

/// As pandas writes by default: an object for each column, with a cell for each row by its name.
void read_column_objects(const std::string& file, Json& table, Rows& rows) {
  const Json& first = *table.begin();
  const bool has_ids = !counts_from_zero(first);
  std::vector<std::string> names;
  if (has_ids) names.push_back("");
  for (const auto& [name, column] : table.items()) {
    names.push_back(name);
    if (column.size() != first.size())
      throw DataError(fmt::format("{}: column {} has {} cells, column {} has {}", file,
                                  shown(table.begin().key()), first.size(), shown(name),
                                  column.size()));
  }
  rows.name_columns(names);
  std::vector<Json::iterator> cells;
  for (Json& column : table) cells.push_back(column.begin());
  for (std::size_t i = 0; i < first.size(); ++i) {
    Json::array_t row;
    if (has_ids) row.push_back(cells.front().key());
    for (Json::iterator& cell : cells) {
      if (cell.key() != cells.front().key())
        throw DataError(fmt::format("{}: row {} of a column is {}, that of another {}", file, i,
                                    shown(cells.front().key()), shown(cell.key())));
      row.push_back(std::move(*cell));
    }
    for (Json::iterator& cell : cells) ++cell;
    rows.add_cells(row);
  }
}

void read_object(const std::string& file, Json& table, Rows& rows) {
  if (is_list(table, "columns") && is_list(table, "data")) return read_split(file, table, rows);
  if (table.contains("schema") && is_list(table, "data")) {
    for (Json& row : table["data"]) add_row(rows, file, row);
    return;
  }
  const auto all = [&](auto is_kind) {
    return !table.empty() && std::ranges::all_of(table, is_kind);
  };
  if (all([](const Json& column) { return column.is_array(); }))
    return read_column_lists(file, table, rows);
  if (all([](const Json& column) { return column.is_object(); }))
    return read_column_objects(file, table, rows);
  rows.add_record(table);
}

/// A list is taken apart while it is parsed, so that its records are not held twice.
void read_document(const std::string& file, std::string_view text, Rows& rows) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_list = first != std::string_view::npos && text[first] == '[';
  const auto take_record = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    check_depth(file, depth);
    const bool is_record = event == Event::object_end || event == Event::array_end;
    if (!is_list || depth != 1 || !is_record) return true;
    add_row(rows, file, value);
    return false;
  };
  Json whole;
  try {
    whole = Json::parse(text, take_record);
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: {}", file, reason_of(error)));
  }
  if (!is_list) return read_object(file, whole, rows);
  for (Json& value : whole) add_row(rows, file, value);  // what is neither object nor list
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
  const std::string_view text = trim_text(source.name(), source.rest());
  Rows rows(source.name());
  if (is_lines(text))
    read_lines(source.name(), text, rows);
  else
    read_document(source.name(), text, rows);
  return std::move(rows).read(options);
}

}  // namespace tamis
