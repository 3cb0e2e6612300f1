#pragma once

#include "io/byte_source.hpp"

namespace tamis {

/// Names a file of a kind that is not read, known by its first bytes, and what to do with it.
/// @throws DataError "FILE: is an Excel 97 file; save it as .xlsx or .csv" and the like
void refuse_foreign(ByteSource& source);

}  // namespace tamis
