#pragma once

#include <string>
#include <vector>

#include "io/sheet.hpp"

/// What is wrong with cells that should be numbers: a look at all of them, for sheets that need it.
namespace tamis {

/// What the given columns say about how numbers are written.
StyleVotes style_votes(const Sheet& sheet, const std::vector<Index>& columns);

/// A column with cells that are neither numbers nor missing.
struct TextColumn {
  Index column = 0;
  Index first_row = 0;                     ///< that has such a cell
  Index texts = 0;                         ///< how many cells are such
  Index numbers = 0;                       ///< how many are numbers
  std::vector<std::string> examples = {};  ///< a few different ones, as they come
  bool has_more = false;                   ///< different ones than these
  bool are_dates = true;                   ///< all of them
  bool have_signs = true;                  ///< all are numbers beside a sign: 12 %
};

/// What stands in a column, row by row. @param column its number
TextColumn text_column(const std::vector<std::string>& texts, Index column);

/// Those of the given columns that hold texts, in the style of the sheet.
std::vector<TextColumn> text_columns(const Sheet& sheet, const std::vector<Index>& columns);

/// What stands in each of the given columns, row by row, as it is written: 007 is not 7, and no
/// precision is lost.
std::vector<std::vector<std::string>> texts_of(const Sheet& sheet,
                                               const std::vector<Index>& columns);

/// @throws DataError naming the columns, what they hold and what to do about it
[[noreturn]] void refuse_texts(const Sheet& sheet, const std::vector<TextColumn>& columns);

}  // namespace tamis
