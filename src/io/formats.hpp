#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// A file format as reading, writing, messages and help texts see it.
struct FileFormat {
  std::string_view name;   ///< in results, and in Format
  std::string_view title;  ///< for people, within a sentence
  /// The name of an output file ends so; the first is the usual one.
  std::vector<std::string_view> extensions;
  /// Whether a source that is not empty is of this format, and of none further down the list. Text
  /// formats are asked after all others.
  bool (*recognises)(ByteSource& source);
  Table (*read)(ByteSource& source, const ReadOptions& options);
  /// Absent if the format is only read.
  void (*write)(const std::string& path, const Table& table,
                std::span<const Index> columns) = nullptr;
  /// What messages call such a file if it is no text; empty: it is text.
  std::string_view binary = {};
  /// Opens a plain file to read it in runs of rows; nothing if this one cannot be. Absent if none
  /// can.
  std::optional<TableStream> (*stream)(ByteSource& source, const ReadOptions& options) = nullptr;
  /// Writes columns of such a table, in memory at most so many rows at once; absent if it needs
  /// all.
  void (*write_stream)(const std::string& path, TableStream& stream, std::span<const Index> columns,
                       Index rows_at_once) = nullptr;

  /// Throws InvalidArgument if what writes it is not there; absent if that is always.
  void (*check_writer)() = nullptr;

  /// Whether it says which are the features, so that no file of it can be turned by mistake.
  bool says_which_are_features = false;

  /// Then it may go to standard output, and is compressed on its way to a .gz file.
  bool is_text() const { return binary.empty(); }
};

/// The only list of formats, the most general first: what recognises a file is asked from the last
/// to the first, which takes whatever is left.
std::span<const FileFormat> formats();

const FileFormat& find_format(Format format);

/// The format of a source that is not empty. @throws DataError if it is none, naming what it is
const FileFormat& format_of(ByteSource& source);

/// @throws InvalidArgument if it is only read, naming the formats that are written
void check_is_written(const FileFormat& format);

/// ".csv, .tsv or .npy": what the name of an output file may end in.
std::string written_extensions();
/// "CSV, TSV or NPY": the titles of all formats.
std::string format_titles();
/// "NPY nor a MATLAB 5 or 7.3 file": what else there is where a text was expected.
std::string binary_formats();

}  // namespace tamis
