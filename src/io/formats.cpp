#include "io/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/csv.hpp"
#include "io/libsvm.hpp"
#include "io/matlab.hpp"
#include "io/npy.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

template <char delimiter>
void write_delimited(const std::string& path, const Table& table, std::span<const Index> columns) {
  write_csv(path, table, columns, delimiter);
}

/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string_view>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace

std::span<const FileFormat> formats() {
  static const std::vector<FileFormat> all{
      {.name = "csv",
       .title = "CSV",
       .extensions = {".csv", ".txt"},
       .recognises = [](ByteSource&) { return true; },
       .read = read_csv,
       .write = write_delimited<','>},
      {.name = "tsv",
       .title = "TSV",
       .extensions = {".tsv"},
       .recognises = looks_like_tsv,
       .read = read_csv,
       .write = write_delimited<'\t'>},
      {.name = "libsvm",
       .title = "LIBSVM",
       .extensions = {".svm", ".libsvm", ".svmlight"},
       .recognises = looks_like_libsvm,
       .read = read_libsvm,
       .write = write_libsvm},
      {.name = "matlab",
       .title = "MATLAB",
       .extensions = {".mat"},
       .binary = "a MATLAB 5 or 7.3 file",
       .recognises = looks_like_matlab,
       .read = read_matlab,
       .write = write_matlab},
      {.name = "npy",
       .title = "NPY",
       .extensions = {".npy"},
       .binary = "NPY",
       .recognises = looks_like_npy,
       .read = read_npy,
       .write = write_npy},
  };
  return all;
}

const FileFormat& find_format(Format format) {
  return *std::ranges::find(formats(), format.name, &FileFormat::name);
}

void check_is_written(const FileFormat& format) {
  if (format.write != nullptr) return;
  std::vector<std::string_view> written;
  for (const FileFormat& other : formats())
    if (other.write != nullptr) written.push_back(other.title);
  throw InvalidArgument(fmt::format("{} tables are read, but not written; write {} instead",
                                    format.title, alternatives(written)));
}

std::string format_titles() {
  std::vector<std::string_view> titles;
  for (const FileFormat& format : formats()) titles.push_back(format.title);
  return alternatives(titles);
}

std::string binary_formats() {
  std::vector<std::string_view> kinds;
  for (const FileFormat& format : formats())
    if (!format.is_text()) kinds.insert(kinds.begin(), format.binary);
  return fmt::format("{}", fmt::join(kinds, " nor "));
}

}  // namespace tamis
