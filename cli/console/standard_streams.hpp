#pragma once

namespace tamis::cli {

/// Opens /dev/null where standard input, output or error is closed. Otherwise the next file that
/// the program opens would take its number, and messages would land in results.
void open_standard_streams();

}  // namespace tamis::cli
