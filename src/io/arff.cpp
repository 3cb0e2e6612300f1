// The format: waikato.github.io/weka-wiki/formats_and_processing/arff_stable
#include "io/arff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/annotations.hpp"
#include "io/cell_sheet.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/id_columns.hpp"
#include "io/words.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

struct Attribute {
  std::string name = {};
  bool is_nominal = false;
  std::vector<std::string> values = {};  ///< of a nominal one
  bool is_text = false;                  ///< a string, or nominal and not numbers from 0
};

/// The words on lines with something in them, comments left out.
class Reader : public NumberedLines {
 public:
  using NumberedLines::NumberedLines;

  /// Moves to the next line with something in it; false at the end.
  bool next() {
    line_ = take_content();
    line_ = line_.substr(0, line_.find_last_not_of(kBlanks) + 1);
    return !line_.empty();
  }

  bool starts_with(char c) {
    skip_blanks();
    return line_.starts_with(c);
  }
  bool take(char c) {
    if (!starts_with(c)) return false;
    line_.remove_prefix(1);
    return true;
  }
  bool is_line_at_end() {
    skip_blanks();
    return line_.empty() || line_.front() == '%';
  }
  /// The next word: in quotes of either kind, or up to one of the marks that end it.
  std::string word(std::string_view ends) {
    skip_blanks();
    const char quote = line_.empty() ? '\0' : line_.front();
    if (quote == '\'' || quote == '"') return quoted(quote);
    const std::size_t end = std::min(line_.find_first_of(ends), line_.size());
    std::string_view found = line_.substr(0, end);
    line_.remove_prefix(end);
    found = found.substr(0, found.find_last_not_of(kBlanks) + 1);
    return std::string(found);
  }

 private:
  void skip_blanks() {
    line_.remove_prefix(std::min(line_.find_first_not_of(kBlanks), line_.size()));
  }

  std::string quoted(char quote) {
    std::string text;
    for (std::size_t at = 1; at < line_.size(); ++at) {
      if (line_[at] == quote) {
        line_.remove_prefix(at + 1);
        return text;
      }
      if (line_[at] == '\\' && at + 1 < line_.size()) ++at;
      text += line_[at];
    }
    refuse("a quote is opened here and never closed");
  }

  std::string_view line_ = {};
};

constexpr std::string_view kValueEnds = ",}";

bool is_zero(const std::string& text) {
  double value = 1.0;
  return parse_number(text, value) && value == 0.0;
}

std::vector<std::string> nominal_values(Reader& reader) {
  std::vector<std::string> values;
  while (!reader.take('}')) {
    if (reader.is_line_at_end()) reader.refuse("the list of values has no end");
    values.push_back(reader.word(kValueEnds));
    if (!reader.take(',') && !reader.starts_with('}'))
      reader.refuse("a comma is missing behind value {}", shown(values.back()));
  }
  if (values.empty()) reader.refuse("the list of values is empty");
  return values;
}

Attribute parse_attribute(Reader& reader) {
  Attribute attribute{.name = reader.word(" \t{")};
  if (attribute.name.empty()) reader.refuse("an attribute needs a name");
  if (reader.take('{')) {
    attribute.is_nominal = true;
    attribute.values = nominal_values(reader);
    // The first value is what a sparse row leaves out.
    attribute.is_text = !is_zero(attribute.values.front()) ||
                        !std::ranges::all_of(attribute.values, is_number_or_missing);
    return attribute;
  }
  const std::string type = lower_case(reader.word(" \t"));
  attribute.is_text = type == "string" || type == "date";
  if (!attribute.is_text && type != "numeric" && type != "real" && type != "integer")
    reader.refuse(
        "attribute {} is of type {}; numeric, real, integer, string, date and lists of "
        "values are read",
        shown(attribute.name), shown(type));
  return attribute;
}

/// Everything up to the data.
std::vector<Attribute> parse_header(Reader& reader) {
  std::vector<Attribute> attributes;
  while (reader.next()) {
    const std::string keyword = lower_case(reader.word(" \t"));
    if (keyword == "@data") {
      if (attributes.empty()) reader.refuse("there are data, but no attributes");
      return attributes;
    }
    if (keyword == "@attribute")
      attributes.push_back(parse_attribute(reader));
    else if (keyword != "@relation")
      reader.refuse("{} is neither @relation, @attribute nor @data", shown(keyword));
  }
  throw DataError(fmt::format("{}: has no @data", reader.file()));
}

/// What the options and names leave open: the last attribute, if it is nominal, is the class.
void presume_class(const std::vector<Attribute>& attributes, ReadOptions& options,
                   std::vector<Note>& notes) {
  const auto is_named_so = [](const Attribute& attribute) {
    return std::ranges::find(default_label_names(), lower_case(attribute.name)) !=
           default_label_names().end();
  };
  const Attribute& last = attributes.back();
  const auto is_listed = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, last.name) != names.end();
  };
  if (options.label_column || !last.is_nominal || attributes.size() < 2 ||
      std::ranges::any_of(attributes, is_named_so) || options.id_column == last.name ||
      is_listed(options.keep) || is_listed(options.drop))
    return;
  options.label_column = last.name;
  notes.push_back(
      {fmt::format("attribute {}, which is nominal and the last, is taken as the labels",
                   shown(last.name)),
       {Remedy::Action::keep_column, last.name}});
}

Table read_dense(Reader& reader, const std::vector<Attribute>& attributes,
                 const ReadOptions& options) {
  CellSheet sheet(reader.file());
  std::vector<Cell> row(attributes.size());
  do {
    for (std::size_t c = 0; c < attributes.size(); ++c) {
      if (c > 0 && !reader.take(','))
        reader.refuse("{} values found, {} expected", c, attributes.size());
      const std::string cell = reader.word(",");
      const bool is_number = !attributes[c].is_text && parse_number(cell, row[c]);
      if (!is_number) row[c] = cell == "?" ? kMissingCell : sheet.text_cell(cell);
    }
    if (!reader.is_line_at_end()) reader.refuse("more than {} values", attributes.size());
    sheet.add_row(row, reader.number());
  } while (reader.next());
  std::vector<std::string> names;
  for (const Attribute& attribute : attributes) names.push_back(attribute.name);
  sheet.set_names(std::move(names));
  return std::move(sheet).read(options);
}

/// A sparse file: numbers, and texts beside them.
class SparseRows {
 public:
  explicit SparseRows(const std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes) {
      place_.push_back(attribute.is_text ? std::ssize(texts_) : data_.cols);
      if (attribute.is_text)
        texts_.push_back({attribute, {}});
      else
        ++data_.cols;
    }
  }

  void parse_row(Reader& reader, const std::vector<Attribute>& attributes) {
    for (TextColumn& column : texts_)
      column.cells.push_back(column.attribute.is_nominal ? column.attribute.values.front() : "");
    if (!reader.take('{')) reader.refuse("a dense row stands among sparse ones");
    Index last = -1;
    while (!reader.take('}')) {
      const Index index = parse_index(reader, std::ssize(attributes), last);
      last = index;
      add(reader, attributes[index], place_[index], reader.word(kValueEnds));
      if (!reader.take(',') && !reader.starts_with('}'))
        reader.refuse("a comma or a closing brace is missing");
    }
    data_.offsets.push_back(std::ssize(data_.values));
  }

  Table finish(const std::string& file, const std::vector<Attribute>& attributes,
               const ReadOptions& options) && {
    if (data_.cols == 0) throw DataError(fmt::format("{}: no attribute is numeric", file));
    Table table{.data = std::move(data_)};
    Annotations annotations;
    for (const Attribute& attribute : attributes)
      if (!attribute.is_text) table.feature_names.push_back(attribute.name);
    for (const TextColumn& column : texts_) annotations.names.push_back(column.attribute.name);
    std::vector<bool> is_used(texts_.size(), false);
    annotations.texts = [&](Index number) {
      is_used[number] = true;
      return std::move(texts_[number].cells);
    };
    apply_options(file, table, annotations, options);
    for (std::size_t number = 0; number < texts_.size(); ++number)
      if (!is_used[number]) check_is_dropped(file, texts_[number].attribute.name, options);
    return table;
  }

 private:
  struct TextColumn {
    Attribute attribute;
    std::vector<std::string> cells;
  };

  static Index parse_index(Reader& reader, Index count, Index last) {
    const std::string word = reader.word(" \t,}");
    Index index = -1;
    const char* const end = word.data() + word.size();
    const auto [stop, code] = std::from_chars(word.data(), end, index);
    if (word.empty() || code != std::errc{} || stop != end || index < 0 || index >= count)
      reader.refuse("{} is no attribute; there are {}, counted from 0", shown(word), count);
    if (index <= last) reader.refuse("attribute {} follows attribute {}", index, last);
    return index;
  }

  void add(const Reader& reader, const Attribute& attribute, Index place, const std::string& cell) {
    if (attribute.is_text) {
      texts_[place].cells.back() = cell;
      return;
    }
    double value = 0.0;
    if (!parse_number(cell, value))
      reader.refuse("attribute {}: {} is not a number", shown(attribute.name), shown(cell));
    if (value == 0.0) return;
    data_.columns.push_back(static_cast<ColumnIndex>(place));
    data_.values.push_back(value);
  }

  static void check_is_dropped(const std::string& file, const std::string& name,
                               const ReadOptions& options) {
    if (std::ranges::find(options.drop, name) == options.drop.end() &&
        options.label_column != "none")
      throw DataError(fmt::format("{}: attribute {} holds texts, not numbers", file, shown(name)),
                      {Remedy::Action::give_column_a_role, name});
  }

  CsrTable<double> data_ = {};
  std::vector<TextColumn> texts_ = {};
  std::vector<Index> place_ = {};  // of each attribute, among the numbers or the texts
};

Table read_sparse(Reader& reader, const std::vector<Attribute>& attributes, ReadOptions options) {
  for (const Attribute& attribute : attributes)
    if (!options.id_column && attribute.is_text && !attribute.is_nominal &&
        names_ids(attribute.name))
      options.id_column = attribute.name;
  SparseRows rows(attributes);
  do {
    rows.parse_row(reader, attributes);
  } while (reader.next());
  return std::move(rows).finish(reader.file(), attributes, options);
}

}  // namespace

bool looks_like_arff(ByteSource& source) {
  constexpr std::size_t kBytesToSee = std::size_t{1} << 16;
  std::string_view start = source.peek(kBytesToSee);
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const std::string none;
  Reader reader(none, start);
  return reader.next() && lower_case(reader.word(" \t")) == "@relation";
}

Table read_arff(ByteSource& source, const ReadOptions& options) {
  Reader reader(source);
  const std::vector<Attribute> attributes = parse_header(reader);
  if (!reader.next()) throw DataError(fmt::format("{}: holds no rows", source.name()));
  ReadOptions chosen = options;
  std::vector<Note> notes;
  presume_class(attributes, chosen, notes);
  Table table = reader.starts_with('{') ? read_sparse(reader, attributes, chosen)
                                        : read_dense(reader, attributes, chosen);
  table.notes.insert(table.notes.begin(), notes.begin(), notes.end());
  return table;
}

}  // namespace tamis
