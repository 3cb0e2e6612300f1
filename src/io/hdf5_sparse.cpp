#include "io/hdf5_sparse.hpp"

#include <fmt/format.h>

#include "io/expansion.hpp"
#include "io/sparse_parts.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void refuse(const Hdf5Object& group, const std::string& fault) {
  if (!fault.empty()) group.refuse(fault);
}

Index count_of(const Hdf5Object& list) {
  if (list.shape().value_or(std::vector<Index>{}).size() != 1) list.refuse("is no list");
  return static_cast<Index>(list.checked_bytes() / list.items().size);
}

template <class T>
CsrTable<T> read_columns(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols) {
  const std::vector<Index> starts = hdf5_part(file, group, "indptr").whole_numbers();
  const Hdf5Object indices = hdf5_part(file, group, "indices");
  const Hdf5Object values = hdf5_part(file, group, "data");
  check_hdf5_starts(group, starts, count_of(indices), count_of(values), cols);
  return gather_columns<T>(
      rows, starts,
      [&](Index first, std::span<ColumnIndex> out) {
        indices.read_lines(first, std::ssize(out), out);
      },
      [&](Index first, std::span<T> out) { values.read_lines(first, std::ssize(out), out); },
      [&](Index row, Index) {
        if (row < 0 || row >= rows) refuse(group, fault_outside(rows));
      });
}

template <class T>
CsrTable<T> read_parts(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                       bool is_by_columns) {
  if (is_by_columns) return read_columns<T>(file, group, rows, cols);
  SparseParts<T> parts{
      .starts = hdf5_part(file, group, "indptr").whole_numbers(),
      .indices = hdf5_part(file, group, "indices").numbers<std::vector<ColumnIndex>>(),
      .values = hdf5_part(file, group, "data").numbers<std::vector<T>>()};
  check_hdf5_starts(group, parts.starts, std::ssize(parts.indices), std::ssize(parts.values), rows);
  return table_of(std::move(parts), rows, cols,
                  [&](const std::string& fault) { refuse(group, fault); });
}

template <class T>
DenseTable<T> read_values(const Hdf5Object& dataset, const std::vector<Index>& shape) {
  return {.rows = shape[0], .cols = shape[1], .values = dataset.numbers<Buffer<T>>()};
}

}  // namespace

Hdf5Object hdf5_part(const Hdf5File& file, const Hdf5Object& group, const char* name) {
  auto part = file.find(group, name);
  if (!part || !part->is_dataset()) group.refuse(fmt::format("lacks its part {}", name));
  return std::move(*part);
}

bool holds_singles(const Hdf5Object& dataset) {
  return dataset.items() == Hdf5Items{Hdf5Items::Kind::floating, 4};
}

void check_hdf5_starts(const Hdf5Object& group, const std::vector<Index>& starts, Index indices,
                       Index values, Index lines) {
  refuse(group, fault_of_starts(starts, indices, values, lines));
}

template <class T>
void tidy_hdf5_rows(const Hdf5Object& group, CsrTable<T>& rows) {
  const Index n_rows = std::ssize(rows.offsets) - 1;
  rows = table_of<T>({std::move(rows.offsets), std::move(rows.columns), std::move(rows.values)},
                     n_rows, rows.cols, [&](const std::string& fault) { refuse(group, fault); });
}
template void tidy_hdf5_rows(const Hdf5Object&, CsrTable<float>&);
template void tidy_hdf5_rows(const Hdf5Object&, CsrTable<double>&);

void check_hdf5_sparse_shape(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                             bool is_trusted) {
  if (rows < 1 || cols < 1) group.refuse(fmt::format("of {} x {} is empty", rows, cols));
  check_sparse_shape(file.path(), rows, cols, file.size(), is_trusted);
}

OwnedTable read_hdf5_sparse(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                            bool is_by_columns, bool is_trusted) {
  check_hdf5_sparse_shape(file, group, rows, cols, is_trusted);
  if (holds_singles(hdf5_part(file, group, "data")))
    return read_parts<float>(file, group, rows, cols, is_by_columns);
  return read_parts<double>(file, group, rows, cols, is_by_columns);
}

std::vector<Index> hdf5_table_shape(const Hdf5Object& dataset) {
  std::vector<Index> shape = dataset.shape().value_or(std::vector<Index>{});
  if (shape.size() != 2)
    dataset.refuse(fmt::format("has {} dimensions; a table has two", shape.size()));
  if (shape[0] == 0 || shape[1] == 0)
    dataset.refuse(fmt::format("of {} x {} is empty", shape[0], shape[1]));
  return shape;
}

OwnedTable read_hdf5_dense(const Hdf5Object& dataset) {
  const std::vector<Index> shape = hdf5_table_shape(dataset);
  if (holds_singles(dataset)) return read_values<float>(dataset, shape);
  return read_values<double>(dataset, shape);
}

}  // namespace tamis
