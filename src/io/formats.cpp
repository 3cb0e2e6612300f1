#include "io/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/arff.hpp"
#include "io/arrow_table.hpp"
#include "io/csv.hpp"
#include "io/foreign_files.hpp"
#include "io/gct.hpp"
#include "io/h5ad.hpp"
#include "io/json_table.hpp"
#include "io/libsvm.hpp"
#include "io/matlab.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/npz.hpp"
#include "io/tenx.hpp"
#include "io/xlsx.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr bool kSaysFeatures = true;

bool is_anything(ByteSource&) { return true; }

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
  // A table, one format to a line.
  // clang-format off
  static const std::vector<FileFormat> all{
      {"csv", "CSV", {".csv", ".txt"}, is_anything, read_csv, write_delimited<','>},
      {"tsv", "TSV", {".tsv"}, looks_like_tsv, read_csv, write_delimited<'\t'>},
      {"libsvm", "LIBSVM", {".svm", ".libsvm", ".svmlight"}, looks_like_libsvm, read_libsvm, write_libsvm},
      {"json", "JSON", {".json", ".jsonl", ".ndjson"}, looks_like_json, read_json},
      {"arff", "ARFF", {".arff"}, looks_like_arff, read_arff, write_arff},
      {"gct", "GCT", {".gct"}, looks_like_gct, read_gct, nullptr, {}, nullptr, nullptr, nullptr, kSaysFeatures},
      {"matrix_market", "Matrix Market", {".mtx"}, looks_like_matrix_market, read_matrix_market, write_matrix_market},
      {"matlab", "MATLAB", {".mat"}, looks_like_matlab, read_matlab, write_matlab, "a MATLAB 5 or 7.3 file", stream_matlab},
      {"xlsx", "XLSX", {".xlsx"}, looks_like_xlsx, read_xlsx, nullptr, "XLSX"},
      {"npy", "NPY", {".npy"}, looks_like_npy, read_npy, write_npy, "NPY", stream_npy, write_npy_stream},
      {"npz", "NPZ", {".npz"}, looks_like_npz, read_npz, write_npz, "NPZ"},
      {"arrow", "Arrow IPC", {".arrow", ".feather", ".ipc"}, looks_like_arrow, read_arrow, nullptr, "an Arrow IPC file"},
      {"parquet", "Parquet", {".parquet"}, looks_like_parquet, read_parquet, write_parquet, "a Parquet file", nullptr, nullptr, check_parquet_writer},
      {"h5ad", "h5ad", {".h5ad"}, looks_like_h5ad, read_h5ad, write_h5ad, "an h5ad file", stream_h5ad, nullptr, nullptr, kSaysFeatures},
      {"10x", "10x", {".h5"}, looks_like_10x, read_10x, nullptr, "a 10x HDF5 file", stream_10x, nullptr, nullptr, kSaysFeatures},
  };
  // clang-format on
  return all;
}

const FileFormat& find_format(Format format) {
  return *std::ranges::find(formats(), format.name, &FileFormat::name);
}

const FileFormat& format_of(ByteSource& source) {
  auto format = formats().rbegin();
  while (!format->is_text() && !format->recognises(source)) ++format;
  if (!format->is_text()) return *format;
  refuse_foreign(source);
  while (!format->recognises(source)) ++format;
  return *format;
}

void check_is_written(const FileFormat& format) {
  if (format.check_writer != nullptr) format.check_writer();
  if (format.write != nullptr) return;
  std::vector<std::string_view> written;
  for (const FileFormat& other : formats())
    if (other.write != nullptr) written.push_back(other.title);
  throw InvalidArgument(fmt::format("{} tables are read, but not written; write {} instead",
                                    format.title, alternatives(written)));
}

std::string written_extensions() {
  std::vector<std::string_view> written;
  for (const FileFormat& format : formats())
    if (format.write != nullptr)
      written.insert(written.end(), format.extensions.begin(), format.extensions.end());
  return alternatives(written);
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
