#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/io/table.hpp"

namespace tamis {

enum class Precision { as_stored, single };

/// What becomes of columns of text among the features: an error, for each category a column of 0
/// and 1, one column of numbers, or nothing.
enum class Encode { refuse, onehot, ordinal, drop };
constexpr auto option_words(Encode) {
  return std::array{std::pair{std::string_view("refuse"), Encode::refuse},
                    std::pair{std::string_view("onehot"), Encode::onehot},
                    std::pair{std::string_view("ordinal"), Encode::ordinal},
                    std::pair{std::string_view("drop"), Encode::drop}};
}

/// How to understand a file. A column is named, or numbered from 0; a name wins over a number.
struct ReadOptions {
  std::optional<std::string> label_column = std::nullopt;  ///< "none": no labels; unset: a column
                                                           ///< named class, label, target or y
  std::vector<std::string> other_labels = {};  ///< further columns of labels, whose texts are kept
  std::optional<std::string> id_column = std::nullopt;
  std::vector<std::string> drop = {};             ///< columns to leave out
  std::vector<std::string> keep = {};             ///< features though they look like labels or ids
  std::optional<bool> has_header = std::nullopt;  ///< unset: decided by the first line
  std::optional<char> separator = std::nullopt;   ///< of fields of text; unset: by the content
  std::optional<char> decimal = std::nullopt;     ///< sign in numbers of text; unset: likewise
  Encode encode = Encode::refuse;                 ///< columns of text
  bool transpose = false;                         ///< its rows are features; columns are then they
  std::optional<std::string> table_name = std::nullopt;  ///< of the table among the variables of a
                                                         ///< MATLAB file (unset: X) or the arrays
                                                         ///< of an NPZ file (unset: by its name)
  std::string matlab_labels = "Y";                       ///< variable that holds the labels
  std::optional<std::string> sheet = std::nullopt;  ///< of a workbook, named or numbered from 1;
                                                    ///< unset: the first
  std::optional<std::string> layer = std::nullopt;  ///< of an AnnData file; unset: X
  Precision precision = Precision::as_stored;       ///< single: store float32 whatever the file has
  bool is_trusted = false;  ///< else content far beyond what the file could be worth is refused
};

/// Reads a table; the format is recognised by its first bytes, and by the extension only where
/// bytes cannot tell (text). "-" is standard input; a folder is one of 10x. What is compressed by
/// gzip, zstd, bzip2 or xz, or alone in a ZIP archive, is read through. A damaged file of HDF5
/// (MATLAB 7.3, AnnData, 10x) can crash the HDF5 library, and so the process: see SECURITY.md.
/// @throws IoError if the file cannot be opened or read, DataError if its content is wrong,
/// InvalidArgument if an option names a column or variable that the file does not have
Table read_table(const std::string& path, const ReadOptions& options = {});

/// Writes the given columns of a table in the given format, whole or not at all: to a temporary
/// file in the same directory that is renamed at the end. Ids and labels are kept where the format
/// has a place for them.
/// @throws InvalidArgument for a format that is only read, IoError if the file cannot be written
void write_table(const std::string& path, const Table& table, std::span<const Index> columns,
                 Format format);

/// The format that an output file's extension asks for, also with .gz behind it where the format is
/// text, or nothing.
std::optional<Format> format_of_extension(const std::string& path);

}  // namespace tamis
