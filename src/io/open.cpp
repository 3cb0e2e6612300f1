#include "tamis/io/open.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "io/byte_source.hpp"
#include "io/csv.hpp"
#include "io/delimited.hpp"
#include "io/libsvm.hpp"
#include "io/matlab.hpp"
#include "io/npy.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kBytesToRecognise = std::size_t{1} << 16;

constexpr std::array<std::pair<std::string_view, Format>, 8> kExtensions = {{
    {".csv", Format::csv},
    {".txt", Format::csv},
    {".tsv", Format::tsv},
    {".svm", Format::libsvm},
    {".libsvm", Format::libsvm},
    {".svmlight", Format::libsvm},
    {".mat", Format::matlab},
    {".npy", Format::npy},
}};

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  ByteSource source(path);
  const std::string_view start = source.peek(kBytesToRecognise);
  if (start.empty()) throw DataError(fmt::format("{}: is empty", source.name()));
  if (start.starts_with(kNpyMagic)) return read_npy(source, options);
  if (looks_like_matlab(start)) return read_matlab(source, options);
  // A first row that is all zero is a lone label: only the extension tells.
  const bool is_undecided = start.find_first_of(",;\t") == std::string_view::npos;
  if (looks_like_libsvm(start) || (is_undecided && format_of_extension(path) == Format::libsvm))
    return read_libsvm(source, options);
  return read_csv(source, options);
}

void write_table(const std::string& path, const Table& table, std::span<const Index> columns,
                 Format format) {
  switch (format) {
    case Format::csv:
      return write_csv(path, table, columns, ',');
    case Format::tsv:
      return write_csv(path, table, columns, '\t');
    case Format::libsvm:
      return write_libsvm(path, table, columns);
    case Format::matlab:
      return write_matlab(path, table, columns);
    case Format::npy:
      return write_npy(path, table, columns);
  }
}

std::optional<Format> format_of_extension(const std::string& path) {
  std::string name = lower_case(path);
  const bool is_compressed = name.ends_with(".gz");
  if (is_compressed) name.resize(name.size() - 3);
  for (const auto& [extension, format] : kExtensions)
    if (name.ends_with(extension) &&
        !(is_compressed && (format == Format::matlab || format == Format::npy)))
      return format;
  return std::nullopt;
}

}  // namespace tamis
