#include "io/cell_text.hpp"

#include "io/csv.hpp"
#include "io/number_text.hpp"

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
  append_number(text_, number);
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
