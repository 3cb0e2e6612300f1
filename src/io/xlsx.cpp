// The format: ECMA-376, part 1, section 18 (SpreadsheetML).
#include "io/xlsx.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "io/cell_sheet.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/xlsx_styles.hpp"
#include "io/xml.hpp"
#include "io/zip_archive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kWorkbook = "xl/workbook.xml";
constexpr Index kMostColumns = 16384;  // says Excel

struct SheetEntry {
  std::string name;
  std::string relation;
};

/// Whole numbers of the file itself; -1 if it is none.
Index number_of(std::string_view text) {
  Index number = -1;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} && stop == text.data() + text.size() ? number : -1;
}

/// The column of a reference such as BC12, from 0.
std::optional<Index> column_of(std::string_view reference) {
  Index column = 0;
  for (const char c : reference) {
    if (c < 'A' || c > 'Z') break;
    column = 26 * column + (c - 'A' + 1);
    if (column > kMostColumns) return std::nullopt;
  }
  return column == 0 ? std::nullopt : std::optional(column - 1);
}

/// The archive behind a workbook, and what its parts say.
class Workbook {
 public:
  Workbook(ByteSource& source, bool is_trusted)
      : name_(source.name()),
        archive_(source, is_trusted),
        largest_text_(largest_content(source.remaining(), is_trusted)),
        stored_(source.remaining()) {
    parse(kWorkbook, {.start = [&](std::string_view name, const XmlAttributes& attributes) {
            if (name == "sheet")
              sheets_.push_back({std::string(attributes.find("name").value_or("")),
                                 std::string(attributes.find("id").value_or(""))});
            if (name == "workbookPr") {
              const std::string_view from_1904 = attributes.find("date1904").value_or("0");
              starts_1904_ = from_1904 == "1" || from_1904 == "true";
            }
          }});
    parse("xl/_rels/workbook.xml.rels",
          {.start = [&](std::string_view name, const XmlAttributes& attributes) {
            if (name != "Relationship") return;
            const std::string_view target = attributes.find("Target").value_or("");
            const std::string_view type = attributes.find("Type").value_or("");
            const std::string part(target.starts_with('/') ? target.substr(1)
                                                           : fmt::format("xl/{}", target));
            parts_.emplace(attributes.find("Id").value_or(""), part);
            if (type.ends_with("/sharedStrings")) strings_part_ = part;
            if (type.ends_with("/styles")) styles_part_ = part;
          }});
  }

  /// The sheet's part. @throws InvalidArgument if there is none of that name or number
  std::string sheet_part(const std::optional<std::string>& wanted, std::vector<Note>& notes) const {
    if (sheets_.empty()) throw DataError(fmt::format("{}: has no sheet", name_));
    const auto named = std::ranges::find(sheets_, wanted.value_or(""), &SheetEntry::name);
    const Index number = wanted ? number_of(*wanted) : 1;
    const bool has_number = number >= 1 && number <= std::ssize(sheets_);
    if (wanted && named == sheets_.end() && !has_number)
      throw InvalidArgument(
          fmt::format("{}: has no sheet {}; there are {} (names, or numbers from 1)", name_,
                      shown(*wanted), list_sheets()));
    const SheetEntry& sheet = wanted && named != sheets_.end() ? *named : sheets_[number - 1];
    if (!wanted && sheets_.size() > 1)
      notes.push_back(
          {fmt::format("sheet {} is read, the first of {}", shown(sheet.name), list_sheets())});
    const auto part = parts_.find(sheet.relation);
    if (part == parts_.end()) refuse_damaged();
    return part->second;
  }

  void read_sheet(const std::string& part, CellSheet& cells);

 private:
  friend class SheetParser;

  std::string list_sheets() const {
    std::vector<std::string> names;
    for (const SheetEntry& sheet : sheets_) names.push_back(shown(sheet.name));
    return fmt::format("{}", fmt::join(names, ", "));
  }
  [[noreturn]] void refuse_damaged() const {
    throw DataError(fmt::format("{}: the workbook is damaged", name_));
  }

  void parse(std::string_view part, const XmlHandler& handler) {
    const ZipMember* const member = archive_.find(part);
    if (member == nullptr)
      throw DataError(fmt::format("{}: the workbook is damaged: it lacks {}", name_, part));
    parse_xml(*archive_.open(*member), part, handler);
  }

  void read_strings();

  std::string name_;
  ZipArchive archive_;
  std::size_t largest_text_;
  std::optional<std::size_t> stored_;
  std::vector<SheetEntry> sheets_ = {};
  std::map<std::string, std::string, std::less<>> parts_ = {};  // by relation
  std::string strings_part_ = {};
  std::string styles_part_ = {};
  bool starts_1904_ = false;
  std::vector<std::string> strings_ = {};
};

void Workbook::read_strings() {
  if (strings_part_.empty()) return;
  bool is_text = false;
  bool is_phonetic = false;
  parse(strings_part_, {.start =
                            [&](std::string_view name, const XmlAttributes&) {
                              if (name == "si") strings_.emplace_back();
                              if (name == "rPh") is_phonetic = true;
                              is_text = name == "t" && !is_phonetic;
                            },
                        .end =
                            [&](std::string_view name) {
                              if (name == "rPh") is_phonetic = false;
                              is_text = false;
                            },
                        .text =
                            [&](std::string_view text) {
                              if (is_text && !strings_.empty()) strings_.back() += text;
                            }});
}

/// Makes cells of a sheet while it is parsed.
class SheetParser {
 public:
  SheetParser(Workbook& book, const XlsxStyles& styles, CellSheet& cells)
      : book_(book), styles_(styles), cells_(cells) {}

  XmlHandler handler() {
    return {.start = [this](std::string_view name,
                            const XmlAttributes& attributes) { start(name, attributes); },
            .end = [this](std::string_view name) { end(name); },
            .text =
                [this](std::string_view part) {
                  if (takes_text_) value_ += part;
                }};
  }

 private:
  void start(std::string_view name, const XmlAttributes& attributes) {
    if (name == "row") {
      row_.clear();
      const Index number = number_of(attributes.find("r").value_or(""));
      line_ = number > 0 ? number : line_ + 1;
    }
    if (name == "c") {
      const auto reference = attributes.find("r");
      const auto column = reference ? column_of(*reference) : std::optional(std::ssize(row_));
      if (!column || *column < std::ssize(row_) || *column >= kMostColumns) book_.refuse_damaged();
      row_.resize(static_cast<std::size_t>(*column), kMissingCell);
      type_ = attributes.find("t").value_or("n");
      is_date_ = styles_.is_date(number_of(attributes.find("s").value_or("0")));
      value_.clear();
    }
    takes_text_ = name == "v" || (name == "t" && type_ == "inlineStr");
  }

  void end(std::string_view name) {
    takes_text_ = false;
    if (name == "c") row_.push_back(cell());
    if (name == "row") end_row();
  }

  /// What the cell holds; nothing if that is nothing or an error.
  Cell cell() {
    if (value_.empty() || type_ == "e") return kMissingCell;
    if (type_ == "s") {
      const Index number = number_of(value_);
      if (number < 0 || number >= std::ssize(book_.strings_)) book_.refuse_damaged();
      return cells_.text_cell(book_.strings_[number]);
    }
    if (type_ == "n" && is_date_) return cells_.text_cell(date_text(value_, book_.starts_1904_));
    double number = 0.0;
    const bool is_number = (type_ == "n" || type_ == "b") && parse_number(value_, number);
    return is_number && std::isfinite(number) ? number : cells_.text_cell(value_);
  }

  void end_row() {
    while (!row_.empty() && is_missing(row_.back())) row_.pop_back();
    if (row_.empty()) return;
    if (cells_.is_empty()) width_ = row_.size();
    row_.resize(std::max(row_.size(), width_), kMissingCell);
    cells_.add_row(row_, line_);
    row_.clear();
    if (cells_.size() > book_.largest_text_) refuse_expansion(book_.name_, book_.stored_);
  }

  Workbook& book_;
  const XlsxStyles& styles_;
  CellSheet& cells_;
  std::vector<Cell> row_ = {};
  Index line_ = 0;
  std::size_t width_ = 0;  // of the first row: others have as many cells at least
  std::string type_ = {};
  bool is_date_ = false;
  std::string value_ = {};
  bool takes_text_ = false;
};

void Workbook::read_sheet(const std::string& part, CellSheet& cells) {
  read_strings();
  XlsxStyles styles;
  if (!styles_part_.empty()) parse(styles_part_, styles.handler());
  SheetParser sheet(*this, styles, cells);
  parse(part, sheet.handler());
  if (cells.is_empty()) throw DataError(fmt::format("{}: the sheet is empty", name_));
}

void read_cells(ByteSource& source, const ReadOptions& options, CellSheet& cells) {
  Workbook book(source, options.is_trusted);
  book.read_sheet(book.sheet_part(options.sheet, cells.notes), cells);
}

}  // namespace

bool looks_like_xlsx(ByteSource& source) {
  return source.starts_with(kZipMagic) &&
         ZipArchive(source, /*is_trusted=*/false).find(kWorkbook) != nullptr;
}

Table read_xlsx(ByteSource& source, const ReadOptions& options) {
  CellSheet cells(source.name());
  read_cells(source, options, cells);
  const std::vector<Note> notes = cells.notes;
  try {
    return std::move(cells).read(options);
  } catch (const DataError& error) {  // perhaps the table is in another sheet
    if (notes.empty()) throw;
    throw DataError(fmt::format("{}; {}", error.what(), notes.front().text), error.remedy());
  }
}

std::vector<Record> xlsx_records(ByteSource& source) {
  CellSheet cells(source.name());
  read_cells(source, {}, cells);
  std::vector<Record> records;
  for (Index i = 0; i < cells.rows(); ++i) records.push_back({cells.line(i), cells.cells(i)});
  return records;
}

}  // namespace tamis
