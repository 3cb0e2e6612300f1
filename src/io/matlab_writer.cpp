#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "io/atomic_file.hpp"
#include "io/delimited.hpp"
#include "io/matlab.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Variable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;
using Shape = std::array<std::size_t, 2>;

/// Level 5 counts the bytes of a variable in 32 bits.
constexpr std::size_t kLargestVariable = std::numeric_limits<std::int32_t>::max();

Variable create(const char* name, matio_classes kind, matio_types type, Shape shape, void* data,
                int flags) {
  Variable variable(Mat_VarCreate(name, kind, type, 2, shape.data(), data, flags), &Mat_VarFree);
  if (!variable) throw std::bad_alloc();
  return variable;
}

void write(mat_t* file, const std::string& path, const Variable& variable) {
  if (Mat_VarWrite(file, variable.get(), MAT_COMPRESSION_ZLIB) != 0)
    throw IoError(fmt::format("{}: variable {} cannot be written", path, variable->name));
}

template <class T>
void write_numbers(mat_t* file, const std::string& path, const char* name, Shape shape,
                   std::vector<T>& values) {
  constexpr bool kIsSingle = std::is_same_v<T, float>;
  write(
      file, path,
      create(name, kIsSingle ? MAT_C_SINGLE : MAT_C_DOUBLE, kIsSingle ? MAT_T_SINGLE : MAT_T_DOUBLE,
             shape, values.data(), MAT_F_DONT_COPY_DATA));
}

void write_texts(mat_t* file, const std::string& path, const char* name,
                 const std::vector<std::string>& texts, Shape shape) {
  const Variable cells = create(name, MAT_C_CELL, MAT_T_CELL, shape, nullptr, 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Shape text_shape = {texts[i].empty() ? 0u : 1u, texts[i].size()};
    Variable text =
        create(nullptr, MAT_C_CHAR, MAT_T_UTF8, text_shape, const_cast<char*>(texts[i].data()), 0);
    Mat_VarSetCell(cells.get(), static_cast<int>(i), text.release());
  }
  write(file, path, cells);
}

template <class T>
void write_data(mat_t* file, const std::string& path, DenseView<T> view,
                std::span<const Index> columns) {
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(view.rows()) * columns.size());
  for (const Index r : columns)
    for (Index i = 0; i < view.rows(); ++i) values.push_back(view(i, r));
  write_numbers(file, path, "X", {static_cast<std::size_t>(view.rows()), columns.size()}, values);
}

template <class T>
void write_data(mat_t* file, const std::string& path, CsrView<T> view,
                std::span<const Index> columns) {
  std::vector<std::vector<std::pair<mat_uint32_t, double>>> by_column(columns.size());
  auto rows = gather_rows(view, columns);
  for (Index i = 0; i < view.rows(); ++i) {
    const auto row = rows.row(i);
    for (std::size_t r = 0; r < row.size(); ++r)
      if (row[r] != 0) by_column[r].emplace_back(static_cast<mat_uint32_t>(i), row[r]);
  }
  std::vector<mat_uint32_t> starts = {0};
  std::vector<mat_uint32_t> row_indices;
  std::vector<double> values;
  for (const auto& entries : by_column) {
    for (const auto& [row, value] : entries) {
      row_indices.push_back(row);
      values.push_back(value);
    }
    starts.push_back(static_cast<mat_uint32_t>(values.size()));
  }
  const auto count = static_cast<mat_uint32_t>(values.size());
  mat_sparse_t sparse{.nzmax = count,
                      .ir = row_indices.data(),
                      .nir = count,
                      .jc = starts.data(),
                      .njc = static_cast<mat_uint32_t>(starts.size()),
                      .ndata = count,
                      .data = values.data()};
  write(file, path,
        create("X", MAT_C_SPARSE, MAT_T_DOUBLE,
               {static_cast<std::size_t>(view.rows()), columns.size()}, &sparse,
               MAT_F_DONT_COPY_DATA));
}

void write_labels(mat_t* file, const std::string& path, const std::vector<std::string>& labels) {
  if (!std::ranges::all_of(labels, is_number_or_missing))
    return write_texts(file, path, "Y", labels, {labels.size(), 1});
  std::vector<double> values(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) parse_number(labels[i], values[i]);
  write_numbers(file, path, "Y", {labels.size(), 1}, values);
}

void check_size(const std::string& path, const Table& table, std::span<const Index> columns) {
  const MatrixView view = table.view();
  const std::size_t item_size = view.is_single() ? sizeof(float) : sizeof(double);
  const std::size_t size = static_cast<std::size_t>(view.rows()) * columns.size() * item_size;
  if (!view.is_sparse() && size > kLargestVariable)
    throw DataError(fmt::format(
        "{}: a MATLAB level 5 file holds at most 2 GiB per variable, the table has {} bytes; write "
        "NPY or CSV instead",
        path, size));
}

}  // namespace

void write_matlab(const std::string& path, const Table& table, std::span<const Index> columns) {
  check_size(path, table, columns);
  Mat_LogInitFunc("tamis", [](int, char*) {});
  AtomicFile output(path);
  std::unique_ptr<mat_t, int (*)(mat_t*)> file(
      Mat_CreateVer(output.temporary_path().c_str(), nullptr, MAT_FT_MAT5), &Mat_Close);
  if (!file) throw IoError(fmt::format("{}: cannot be written as a MATLAB file", path));
  table.view().visit([&](const auto& view) { write_data(file.get(), path, view, columns); });
  if (!table.label_texts.empty()) write_labels(file.get(), path, table.label_texts);
  std::vector<std::string> names;
  for (const Index c : columns) names.push_back(table.feature_names[c]);
  write_texts(file.get(), path, "feature_names", names, {1, names.size()});
  if (!table.sample_ids.empty())
    write_texts(file.get(), path, "sample_ids", table.sample_ids, {table.sample_ids.size(), 1});
  if (Mat_Close(file.release()) != 0) throw IoError(fmt::format("{}: cannot be written", path));
  output.commit();
}

}  // namespace tamis
