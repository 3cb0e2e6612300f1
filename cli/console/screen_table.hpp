#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console/terminal.hpp"

namespace tamis::cli {

/// A column of a table for people, with a cell in each line.
struct TableColumn {
  std::string head = {};
  std::vector<std::string> cells = {};
  bool is_text = false;   ///< stands to the left, and may be cut
  bool is_whole = false;  ///< of a text in the first column: if cut, it has a line of its own above
  /// The SGR style of a cell, if it has one.
  std::function<std::string_view(const std::string& cell)> style = nullptr;
};

/// Columns under their heads, as wide as a screen allows. Where that is too little, texts are cut,
/// the widest first; then columns are left out, the last first.
class ScreenTable {
 public:
  ScreenTable(std::vector<TableColumn> columns, const Screen& screen, std::size_t indent = 0);

  /// Cells that a line takes, and those that are free behind it.
  std::size_t width() const;
  std::size_t room() const { return screen_width() - std::min(screen_width(), width()); }
  /// All filled to the width of the table.
  std::string heading() const;
  std::string line(std::size_t place) const;
  /// All of them, without spaces at their ends, and a note on what was left out.
  std::string text() const;
  /// A line that names the columns which were left out; nothing if none were.
  std::string left_out_note() const;

 private:
  std::size_t screen_width() const { return static_cast<std::size_t>(screen_.width); }
  bool fits();
  bool shrink_a_text();

  std::vector<TableColumn> columns_;
  Screen screen_;
  std::size_t indent_;
  std::vector<std::size_t> widths_ = {};
  std::vector<std::string> left_out_ = {};
};

/// The text without spaces at its end.
std::string without_trailing_spaces(std::string text);

}  // namespace tamis::cli
