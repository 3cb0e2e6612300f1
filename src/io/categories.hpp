#pragma once

#include <string>
#include <vector>

#include "io/text_sheet.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Makes columns of a table out of columns of texts in its sheet, as the options say, behind those
/// that it has: for each category a column of 0 and 1, all of a group; or one column that numbers
/// the categories in the order of their names, or of their values if all are numbers; or none.
/// Dates become days since 1970-01-01, unless they are left out. What is missing stays so. Says
/// what was done.
/// @throws DataError for texts that are no categories, because most rows have one of their own
void encode_texts(const TextSheet& sheet, const std::vector<Index>& columns, Encode kind,
                  Table& table);

}  // namespace tamis
