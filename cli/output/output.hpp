#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console/command.hpp"
#include "io/atomic_file.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/io/table.hpp"

namespace tamis::cli {

/// The reader of our stdout has gone (`| head`): the program ends silently.
struct ClosedPipe : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// @throws ClosedPipe, or IoError for any other failure
void write_stdout(std::string_view bytes);

/// What -o, or another flag for a file, says; empty for stdout ("-" too).
/// @throws InvalidArgument if it is one of the files that are read, or no name at all
std::string output_path(const Arguments& arguments, const std::vector<std::string>& inputs,
                        const std::string& flag = "output");

/// @throws InvalidArgument if what the flag `called` writes to is one of the files that are read
void check_no_input(const std::string& path, const std::vector<std::string>& inputs,
                    std::string_view called);

/// One of several things that a command writes.
struct Destination {
  std::string_view what;  ///< for messages
  std::string path;       ///< empty for stdout
};
/// @throws InvalidArgument if both go to the same place
void check_apart(const Arguments& arguments, const Destination& one, const Destination& other);

/// A field of a CSV line, in quotes where it would otherwise read back differently.
std::string csv_cell(const std::string& text);

/// How files that we write call a row: by its id, or its number if there are no ids; and the header
/// of a column of such names.
std::string name_in_file(const Knowledge& known, Index row);
std::string_view row_header(const Knowledge& known);

/// A text result, on stdout or in a file. The file is opened at once, so that a wrong path is known
/// before long work begins.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path);
  void write(std::string_view text);

 private:
  std::optional<AtomicFile> file_;
};

/// The format for a table written to `path`: that of its extension; without one `otherwise`, or CSV
/// if that is only read. @throws InvalidArgument if the extension is that of no format or of one
/// that is only read, or if a binary format would go to stdout
Format output_format(const std::string& path, Format otherwise);

/// @throws IoError if no file can be written there; leaves nothing behind
void check_writable(const std::string& path);

/// Writes a table to the file, or to stdout if the path is empty.
void deliver_table(const std::string& path, const Table& table, std::span<const Index> columns,
                   Format format);

}  // namespace tamis::cli
