#include "cli/console/screen_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tamis::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastText = 10;

std::size_t widest_of(const TableColumn& column) {
  std::size_t width = display_width(column.head);
  for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
  return width;
}

std::string placed(const TableColumn& column, std::string_view cell, std::size_t width) {
  return column.is_text ? fitted(cell, width) : aligned_right(cell, width);
}

}  // namespace

ScreenTable::ScreenTable(std::vector<TableColumn> columns, const Screen& screen, std::size_t indent)
    : columns_(std::move(columns)), screen_(screen), indent_(indent) {
  while (!fits() && columns_.size() > 2) {
    left_out_.insert(left_out_.begin(), columns_.back().head);
    columns_.pop_back();
  }
}

bool ScreenTable::fits() {
  widths_.clear();
  std::ranges::transform(columns_, std::back_inserter(widths_), widest_of);
  while (width() > screen_width() && shrink_a_text()) {
  }
  return width() <= screen_width();
}

bool ScreenTable::shrink_a_text() {
  std::size_t* widest = nullptr;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].is_text && widths_[c] > kLeastText && (!widest || widths_[c] > *widest))
      widest = &widths_[c];
  if (widest) --*widest;
  return widest != nullptr;
}

std::size_t ScreenTable::width() const {
  std::size_t used = indent_ + kGap * (widths_.size() - 1);
  for (const std::size_t width : widths_) used += width;
  return used;
}

std::string ScreenTable::heading() const {
  std::string text(indent_, ' ');
  for (std::size_t c = 0; c < columns_.size(); ++c)
    text += (c == 0 ? "" : "  ") + placed(columns_[c], columns_[c].head, widths_[c]);
  return text;
}

std::string ScreenTable::line(std::size_t place) const {
  std::string text(indent_, ' ');
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const TableColumn& column = columns_[c];
    std::string cell = column.cells[place];
    if (column.is_whole && display_width(cell) > widths_[c]) {
      text += fmt::format("{}\n{}", cell, std::string(indent_, ' '));
      cell.clear();
    }
    const std::string shown = placed(column, cell, widths_[c]);
    text += c == 0 ? "" : "  ";
    text += column.style ? styled(screen_, column.style(cell), shown) : shown;
  }
  return text;
}

std::string ScreenTable::text() const {
  std::string lines = without_trailing_spaces(heading()) + '\n';
  for (std::size_t place = 0; place < columns_.front().cells.size(); ++place)
    lines += without_trailing_spaces(line(place)) + '\n';
  return lines + left_out_note();
}

std::string ScreenTable::left_out_note() const {
  if (left_out_.empty()) return "";
  const std::string note =
      fmt::format("too narrow for: {} (--json has all)", fmt::join(left_out_, ", "));
  return styled(screen_, "2",
                std::string(indent_, ' ') + wrapped(note, indent_, prose_width(screen_))) +
         '\n';
}

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace tamis::cli
