#include "io/cell_text.hpp"

#include <fmt/format.h>

#include <iterator>

#include "io/csv.hpp"

namespace tamis {

void CellText::begin_cell() {
  if (is_in_row_) text_ += ',';
  is_in_row_ = true;
}

void CellText::add(std::string_view text) {
  begin_cell();
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
}

void CellText::add(double number) {
  begin_cell();
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void CellText::end_row() {
  text_ += '\n';
  is_in_row_ = false;
}

Table CellText::read(const std::string& file, ReadOptions options, Index lines_added) && {
  options.separator = ',';
  options.decimal = '.';
  ByteSource source(BytesInMemory{file, std::move(text_), lines_added});
  return read_csv(source, options);
}

}  // namespace tamis
