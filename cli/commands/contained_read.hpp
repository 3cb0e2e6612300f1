#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"

namespace tamis::cli {

/// Reads a table. The HDF5 library, which parses MATLAB 7.3 files, crashes on some damaged ones and
/// takes all memory for others: such a file is first read by a process of its own, within limits on
/// memory and time, and refused if that does not survive. Not if the options trust the file.
/// @throws what read_table does
Table read_contained(const std::string& path, const ReadOptions& options);

/// Opens a table to read it in runs of rows, likewise: such a file is first read once by a process
/// of its own. @throws what open_table_stream does
std::optional<TableStream> open_contained(const std::string& path, const ReadOptions& options);

/// Does something else with a file, likewise: a process of its own does it first, if that is an
/// HDF5 file that nobody trusts. @throws what `read` does, or DataError if that process does not
/// survive
void do_contained(const std::string& path, bool is_trusted, const std::function<void()>& read);

}  // namespace tamis::cli
