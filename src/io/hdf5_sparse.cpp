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

/// Entries of a matrix by columns, a piece of them in memory at a time.
template <class T>
class ColumnEntries {
 public:
  ColumnEntries(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols)
      : group_(group),
        starts_(hdf5_part(file, group, "indptr").whole_numbers()),
        indices_(hdf5_part(file, group, "indices")),
        values_(hdf5_part(file, group, "data")),
        rows_(rows) {
    check_hdf5_starts(group, starts_, count_of(indices_), count_of(values_), cols);
  }

  /// Calls put(row, column, value) for every one, or, for counting them, without the values.
  template <class Put>
  void each(bool has_values, const Put& put) const {
    constexpr Index kAtOnce = Index{1} << 16;
    std::vector<ColumnIndex> rows;
    std::vector<T> values;
    Index column = 0;
    for (Index first = 0; first < starts_.back(); first += kAtOnce) {
      const Index count = std::min(kAtOnce, starts_.back() - first);
      rows.resize(static_cast<std::size_t>(count));
      values.resize(rows.size());
      indices_.read_lines(first, count, rows);
      if (has_values) values_.read_lines(first, count, values);
      refuse(group_, fault_of_indices(rows, rows_));
      for (Index e = 0; e < count; ++e) {
        while (starts_[column + 1] <= first + e) ++column;
        put(rows[e], column, values[e]);
      }
    }
  }

 private:
  static Index count_of(const Hdf5Object& part) {
    if (part.shape().value_or(std::vector<Index>{}).size() != 1) part.refuse("is no list");
    return static_cast<Index>(part.checked_bytes() / part.items().size);
  }

  const Hdf5Object& group_;
  std::vector<Index> starts_;
  Hdf5Object indices_;
  Hdf5Object values_;
  Index rows_;
};

template <class T>
CsrTable<T> read_columns(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols) {
  const ColumnEntries<T> entries(file, group, rows, cols);
  return gather_entries<T>(
      rows, cols, [&](const auto& put) { entries.each(/*has_values=*/false, put); },
      [&](const auto& put) { entries.each(/*has_values=*/true, put); });
}

template <class T>
CsrTable<T> read_parts(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                       bool is_by_columns) {
  if (is_by_columns) return read_columns<T>(file, group, rows, cols);
  SparseParts<T> parts{
      .starts = hdf5_part(file, group, "indptr").whole_numbers(),
      .indices = hdf5_part(file, group, "indices").numbers<std::vector<ColumnIndex>>(),
      .values = hdf5_part(file, group, "data").numbers<std::vector<T>>()};
  refuse(group, fault_of(parts, rows, cols));
  return table_of(std::move(parts), rows, cols, /*is_by_columns=*/false);
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
  refuse(group, fault_of_indices(rows.columns, rows.cols));
  const Index n_rows = std::ssize(rows.offsets) - 1;
  rows = table_of<T>({std::move(rows.offsets), std::move(rows.columns), std::move(rows.values)},
                     n_rows, rows.cols, /*is_by_columns=*/false);
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
