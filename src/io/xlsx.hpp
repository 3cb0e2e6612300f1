#pragma once

#include <vector>

#include "io/byte_source.hpp"
#include "io/delimited.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Whether it is a ZIP archive with a workbook in it.
bool looks_like_xlsx(ByteSource& source);

/// Reads a sheet of an Excel workbook: the one that the options choose, else the first. Rows with
/// nothing in them are left out; the first other one may be a header, as in CSV, where it is
/// decided what the columns are. Formulas are not evaluated: their last results are read. Dates
/// become texts, errors are missing, true is 1 and false 0.
/// @throws DataError if the workbook is damaged, InvalidArgument if it has no such sheet
Table read_xlsx(ByteSource& source, const ReadOptions& options);

/// The cells of the first sheet as texts.
std::vector<Record> xlsx_records(ByteSource& source);

}  // namespace tamis
