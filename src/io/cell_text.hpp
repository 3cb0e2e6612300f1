#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Cells of a file that holds texts beside numbers, on their way to the reader of delimited text:
/// so it is decided in one place what the columns are.
class CellText {
 public:
  void add(std::string_view text);
  /// In the shortest form that reads back exactly.
  void add(double number);
  void add_missing() { begin_cell(); }
  void end_row();

  bool is_empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  /// @param lines_added rows at the start that are no lines of the file
  /// @throws as read_csv, naming the file
  Table read(const std::string& file, ReadOptions options, Index lines_added = 0) &&;
  /// As delimited text.
  std::string text() && { return std::move(text_); }

 private:
  void begin_cell();

  std::string text_;
  bool is_in_row_ = false;
};

}  // namespace tamis
