#include "io/matlab.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/utf8.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/matlab_array.hpp"
#include "io/plain_file.hpp"
#include "io/sparse_rows.hpp"
#include "io/turned.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void refuse_damaged(const std::string& file, const MatlabArray& array) {
  throw DataError(fmt::format("{}: variable {} is cut off or damaged", file, array.describe()));
}

/// MATLAB keeps columns, which become rows where they are.
template <class T>
DenseTable<T> to_dense(const std::string& file, const MatlabArray& array) {
  if (array.values == nullptr || array.values->size() != array.size()) refuse_damaged(file, array);
  DenseTable<T> table{.rows = array.shape[0], .cols = array.shape[1], .values = {}};
  table.values.resize(static_cast<std::size_t>(array.size()));
  array.values->read(0, std::span(table.values));
  array.values->finish();
  turn_values(table.values, table.cols, table.rows);
  return table;
}

constexpr Index kMostSparseRows = 100'000'000;

/// Nothing else in a file bounds the rows of a sparse table.
void check_sparse_rows(const std::string& file, const MatlabArray& array, bool is_trusted) {
  if (array.shape[0] > kMostSparseRows) refuse_damaged(file, array);
  std::size_t bytes = sizeof(Index) * array.column_starts.size();
  if (array.values != nullptr)
    bytes +=
        array.values->bytes() + sizeof(Index) * static_cast<std::size_t>(array.entry_rows->size());
  if (array.shape[0] > most_sparse_lines(bytes, is_trusted))
    throw DataError(fmt::format("{}: variable {} makes a table of as many rows out of {} bytes",
                                file, array.describe(), bytes),
                    {Remedy::Action::trust_file});
}

void check_starts(const std::string& file, const MatlabArray& array) {
  const auto& starts = array.column_starts;
  const Index cols = array.shape[1];
  const bool has_room = std::ssize(starts) > cols && starts[0] == 0;
  if (!has_room || !std::is_sorted(starts.begin(), starts.begin() + cols + 1))
    refuse_damaged(file, array);
  const Index entries = starts[cols];
  const bool has_entries = array.values != nullptr && array.entry_rows->size() >= entries &&
                           array.values->size() >= entries;
  if (entries > 0 && !has_entries) refuse_damaged(file, array);
}

/// MATLAB keeps columns; within one, rows ascend.
CsrTable<double> to_sparse(const std::string& file, const MatlabArray& array) {
  check_starts(file, array);
  const std::vector<Index> starts(array.column_starts.begin(),
                                  array.column_starts.begin() + array.shape[1] + 1);
  CsrTable<double> table = gather_columns<double>(
      array.shape[0], starts,
      [&](Index first, std::span<ColumnIndex> out) { array.entry_rows->read(first, out); },
      [&](Index first, std::span<double> out) { array.values->read(first, out); },
      [&](Index row, Index before) {
        if (row <= before || row >= array.shape[0]) refuse_damaged(file, array);
      });
  if (array.values != nullptr) array.values->finish();
  return table;
}

/// The text of units at `first`, `first` + `stride` and so on. Two surrogates make one character
/// (UTF-16); what makes none is replaced.
template <class Units>
std::string text_of_units(const Units& units, Index first, Index stride) {
  std::string text;
  for (Index k = first; k < units.size(); k += stride) {
    const auto unit = static_cast<std::uint32_t>(units[k]);
    const std::uint32_t next =
        k + stride < units.size() ? static_cast<std::uint32_t>(units[k + stride]) : 0;
    const bool is_pair = is_surrogate_pair(unit, next);
    append_utf8(text, is_pair ? character_of_pair(unit, next) : unit);
    if (is_pair) k += stride;
  }
  return text;
}

/// The rows of a char matrix, without blanks at the end.
std::vector<std::string> char_rows(const std::string& file, const MatlabArray& array) {
  if (array.size() == 0) return {};
  const Index rows = array.shape[0];
  if (rows > std::ssize(array.data)) refuse_damaged(file, array);
  std::vector<std::string> texts(static_cast<std::size_t>(rows));
  if (rows == 1 && array.type == MatlabType::utf8) {  // as many bytes as the text needs
    texts[0] = array.data;
  } else {
    visit_numbers(array.type, array.data, array.swaps_bytes, [&](const auto& units) {
      constexpr bool kIsNoUnit = std::is_floating_point_v<std::decay_t<decltype(units[0])>>;
      if (kIsNoUnit || units.size() != array.size()) refuse_damaged(file, array);
      for (Index i = 0; i < rows; ++i) texts[i] = text_of_units(units, i, rows);
    });
  }
  for (std::string& text : texts) text.erase(text.find_last_not_of(' ') + 1);
  return texts;
}

std::vector<std::string> to_texts(const std::string& file, const MatlabArray& array) {
  std::vector<std::string> texts;
  if (array.kind == MatlabClass::text) return char_rows(file, array);
  for (const MatlabArray& cell : array.cells) {
    const bool is_single = cell.kind == MatlabClass::text || cell.is_number();
    const auto inside = is_single ? to_texts(file, cell) : std::vector<std::string>{};
    texts.push_back(inside.empty() ? "" : inside.front());
  }
  if (array.is_number())
    visit_numbers(array.type, array.data, array.swaps_bytes, [&](const auto& numbers) {
      if (numbers.size() != array.size()) refuse_damaged(file, array);
      for (Index k = 0; k < numbers.size(); ++k) texts.push_back(fmt::format("{}", +numbers[k]));
    });
  return texts;
}

std::string list_variables(const MatlabFile& file) {
  std::vector<std::string> described;
  for (const MatlabArray& array : file.variables)
    if (!array.shape.empty()) described.push_back(array.describe());
  return described.empty() ? "nothing" : fmt::format("{}", fmt::join(described, ", "));
}

void check_is_table(const std::string& file, const MatlabArray& array) {
  const bool is_sparse = array.kind == MatlabClass::sparse;
  if (array.shape.size() != 2 || !(array.is_number() || is_sparse))
    throw DataError(
        fmt::format("{}: variable {} is not a matrix of numbers", file, array.describe()));
  if (array.is_complex)
    throw DataError(fmt::format("{}: variable {} is complex", file, array.describe()));
  if (array.size() == 0)
    throw DataError(fmt::format("{}: variable {} is empty", file, array.describe()));
}

void read_data(const std::string& file, const MatlabArray& array, bool is_trusted, Table& table) {
  check_is_table(file, array);
  const bool is_sparse = array.kind == MatlabClass::sparse;
  if (is_sparse) check_sparse_rows(file, array, is_trusted);
  if (is_sparse)
    table.data = to_sparse(file, array);
  else if (array.kind == MatlabClass::single)
    table.data = to_dense<float>(file, array);
  else
    table.data = to_dense<double>(file, array);
}

/// The labels of so many rows.
std::vector<std::string> label_texts(const std::string& file, const MatlabArray& array,
                                     Index rows) {
  if (array.is_complex)
    throw DataError(fmt::format("{}: variable {} is complex", file, array.describe()));
  std::vector<std::string> texts = to_texts(file, array);
  if (std::ssize(texts) != rows)
    throw DataError(fmt::format("{}: variable {} holds {} labels, but the table has {} rows", file,
                                array.describe(), texts.size(), rows));
  return texts;
}

/// The texts of an optional variable that has as many as needed.
std::vector<std::string> optional_texts(const std::string& file, const MatlabArray* array,
                                        Index count) {
  if (array == nullptr || array->kind != MatlabClass::cell || array->size() != count) return {};
  return to_texts(file, *array);
}

/// The level that the version number in a header stands for, in either byte order; "" if it is
/// that of none.
std::string_view level_of_version(ByteSource& source) {
  using namespace std::string_view_literals;
  constexpr std::size_t kHeaderSize = 128;
  const std::string_view header = source.peek(kHeaderSize);
  const std::string_view mark = header.size() < kHeaderSize ? ""sv : header.substr(124);
  if (mark == "\x00\x01IM"sv || mark == "\x01\x00MI"sv) return "5";
  if (mark == "\x00\x02IM"sv || mark == "\x02\x00MI"sv) return "7.3";
  return "";
}

void check_version(ByteSource& source, std::string_view level) {
  const std::string_view version = level_of_version(source);
  if (!version.empty() && version != level)
    throw DataError(fmt::format(
        "{}: starts like a MATLAB file of level {}, but its version number is that of level {}",
        source.name(), level, version));
}

std::string table_variable(const ReadOptions& options) { return options.table_name.value_or("X"); }

WantedVariables wanted_variables(const ReadOptions& options) {
  return {table_variable(options), {options.matlab_labels, "feature_names", "sample_ids"}};
}

const MatlabArray& find_table(const std::string& name, const MatlabFile& file,
                              const ReadOptions& options) {
  if (const MatlabArray* const data = file.find(table_variable(options))) return *data;
  throw DataError(fmt::format("{}: has no variable {}; it holds {}", name, table_variable(options),
                              list_variables(file)),
                  {Remedy::Action::choose_table});
}

/// Labels, names and ids, into a table or a stream of so many rows and columns.
template <class Target>
void read_texts(const std::string& name, const MatlabFile& file, const ReadOptions& options,
                Index rows, Index cols, Target& table) {
  const MatlabArray* const labels = file.find(options.matlab_labels);
  if (labels != nullptr) {
    table.label_texts = label_texts(name, *labels, rows);
    table.label_name = labels->name;
  } else if (options.matlab_labels != ReadOptions{}.matlab_labels) {
    throw DataError(fmt::format("{}: has no variable {}; it holds {}", name, options.matlab_labels,
                                list_variables(file)),
                    {Remedy::Action::choose_labels});
  }
  table.feature_names = optional_texts(name, file.find("feature_names"), cols);
  if (table.feature_names.empty()) table.feature_names = numbered_names(cols);
  table.sample_ids = optional_texts(name, file.find("sample_ids"), rows);
}

}  // namespace

bool looks_like_matlab(ByteSource& source) {
  return source.starts_with("MATLAB 5.0 MAT-file") || looks_like_matlab_73(source);
}

bool looks_like_matlab_73(ByteSource& source) {
  return source.starts_with("MATLAB 7.3 MAT-file") || source.starts_with("\x89HDF\r\n\x1a\n");
}

Table read_matlab(ByteSource& source, const ReadOptions& options) {
  const std::string& name = source.name();
  const bool is_level_5 = source.starts_with("MATLAB 5");
  check_version(source, is_level_5 ? "5" : "7.3");
  if (!is_level_5 && !source.is_plain_file())
    throw IoError(needs_plain_file(source, "an HDF5 file (MATLAB 7.3, h5ad, 10x)"));
  const WantedVariables wanted = wanted_variables(options);
  const MatlabFile file = is_level_5 ? read_matlab_5(source, wanted, options.is_trusted)
                                     : read_matlab_73(source.path(), wanted, options.is_trusted);
  Table table;
  read_data(name, find_table(name, file, options), options.is_trusted, table);
  read_texts(name, file, options, table.rows(), table.cols(), table);
  apply_options(name, table, options);
  return table;
}

std::optional<TableStream> stream_matlab(ByteSource& source, const ReadOptions& options) {
  const std::string& name = source.name();
  if (!looks_like_matlab_73(source)) return std::nullopt;
  check_version(source, "7.3");
  WantedVariables wanted = wanted_variables(options);
  wanted.table.clear();
  const MatlabFile file = read_matlab_73(source.path(), wanted, options.is_trusted);
  const MatlabArray& array = find_table(name, file, options);
  check_is_table(name, array);
  if (!array.is_number()) return std::nullopt;  // sparse: MATLAB keeps its columns
  TableStream stream;
  const bool is_single =
      array.kind == MatlabClass::single || options.precision == Precision::single;
  stream.rows = matlab_73_rows(source.path(), array, is_single, options.is_trusted);
  read_texts(name, file, options, array.shape[0], array.shape[1], stream);
  apply_options(name, stream, options);
  return stream;
}

}  // namespace tamis
