#pragma once

#include <concepts>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/blocks.hpp"
#include "io/sheet.hpp"

namespace tamis {

/// A number, a text or nothing, in eight bytes: a text is a NaN that says where it lies.
using Cell = double;
inline constexpr Cell kMissingCell = std::numeric_limits<double>::quiet_NaN();
bool is_missing(Cell cell);

/// Cells on their way from a file that says of each whether it is a number or a text. They take
/// eight bytes each, and the texts what they are long; the table takes their place block by block.
class CellSheet final : public Sheet {
 public:
  explicit CellSheet(const std::string& path);

  Cell text_cell(std::string_view text);
  /// A whole number, which keeps all its digits.
  template <std::integral Whole>
  Cell whole_cell(Whole number) {
    constexpr auto kExact = Whole{1} << std::numeric_limits<double>::digits;
    const bool is_exact = number <= kExact && (std::is_unsigned_v<Whole> || -kExact <= number);
    return is_exact ? static_cast<double>(number) : text_cell(std::to_string(number));
  }
  std::string text_of(Cell cell) const;

  /// A row, and its line in the file.
  void add_row(std::span<const Cell> cells, Index line);
  /// Instead of rows: a column.
  void add_column(std::span<const Cell> cells);
  /// What stands in a column, of whatever length, and whether some of it is text.
  std::vector<std::string> column_texts(Index column) const;
  bool has_texts(Index column) const;
  /// A column in front of all others, without a name.
  void set_row_names(std::vector<Cell> cells);
  /// Cells that a row lacks at its end are missing then.
  void set_names(std::vector<std::string> given);

  bool is_empty() const { return cells_.size() == 0; }
  /// Bytes that are held.
  std::size_t size() const { return cells_.size() * sizeof(Cell) + texts_.size(); }

  /// @throws as table_of
  Table read(const ReadOptions& options) &&;

  Index rows() const override;
  std::vector<std::string> cells(Index row) const override;
  Index line(Index row) const override;
  void visit(const std::vector<Index>& wanted, const Visit& visit) const override;
  void parse(ColumnRoles& roles, const ReadOptions& options, Table& table) override;
  std::optional<std::vector<std::string>> texts_of_feature(Index) const override { return {}; }

 private:
  /// Rows of one width on successive lines, or a column.
  struct Run {
    Index first;  ///< row
    Index line;
    Index width;        ///< or length of the column
    std::size_t start;  ///< of its cells
  };

  void skip_titles();
  void take_header(const ReadOptions& options);
  void check_widths() const;
  const Run& run_of(Index row) const;
  Index width(Index row) const { return run_of(row + skipped_).width + (has_row_names_ ? 1 : 0); }
  Index length(Index column) const;
  Cell at(const Run& run, Index row, Index column) const;
  Cell at(Index row, Index column) const;
  std::string_view text_at(Cell cell) const;
  bool has_words(const std::vector<Index>& features) const;
  template <class T>
  void take_features(const ColumnRoles& roles, Table& table);
  template <class T>
  T number_of(Cell cell, unsigned char& is_truth) const;

  Blocks<Cell> cells_ = {};
  std::vector<Run> runs_ = {};
  Index added_ = 0;    // rows, or columns
  Index skipped_ = 0;  // rows at the start: titles and the header
  bool has_columns_ = false;
  bool may_lack_cells_ = false;
  bool has_row_names_ = false;
  std::vector<Cell> row_names_ = {};
  std::string texts_ = {};
  std::vector<std::size_t> text_ends_ = {};
  std::map<Index, std::vector<std::string>> kept_ =
      {};  // columns that are no features, once parsed
  bool is_parsed_ = false;
};

}  // namespace tamis
