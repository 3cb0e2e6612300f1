#include "io/hdf5_sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "io/expansion.hpp"
#include "io/sparse_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Hdf5Object part_of(const Hdf5File& file, const Hdf5Object& group, const char* name) {
  auto part = file.find(group, name);
  if (!part || !part->is_dataset()) group.refuse(fmt::format("lacks its part {}", name));
  return std::move(*part);
}

bool is_single(const Hdf5Object& dataset) {
  return dataset.items() == Hdf5Items{Hdf5Items::Kind::floating, 4};
}

/// Starts ascend from 0 to the number of entries, whose indices are below `width`.
void check_parts(const Hdf5Object& group, const std::vector<Index>& starts,
                 const std::vector<Index>& indices, std::size_t values, Index lines, Index width) {
  if (std::ssize(starts) != lines + 1 || starts.front() != 0 ||
      starts.back() != std::ssize(indices) || !std::ranges::is_sorted(starts) ||
      values != indices.size())
    group.refuse("is damaged: its parts data, indices and indptr do not fit each other");
  if (std::ranges::any_of(indices, [&](Index index) { return index < 0 || index >= width; }))
    group.refuse(fmt::format("is damaged: an index is not among 0 to {}", width - 1));
}

bool ascends_within_rows(const std::vector<Index>& starts, const std::vector<Index>& indices) {
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const auto row = std::span(indices).subspan(
        static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(starts[i + 1] - starts[i]));
    if (std::ranges::adjacent_find(row, std::greater_equal{}) != row.end()) return false;
  }
  return true;
}

template <class T>
CsrTable<T> read_parts(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                       bool is_by_columns) {
  std::vector<Index> starts = part_of(file, group, "indptr").whole_numbers();
  std::vector<Index> indices = part_of(file, group, "indices").whole_numbers();
  std::vector<T> values = part_of(file, group, "data").numbers<std::vector<T>>();
  const Index lines = is_by_columns ? cols : rows;
  check_parts(group, starts, indices, values.size(), lines, is_by_columns ? rows : cols);
  if (!is_by_columns && ascends_within_rows(starts, indices))
    return {.cols = cols,
            .offsets = std::move(starts),
            .columns = std::move(indices),
            .values = std::move(values)};
  return gather_entries<T>(rows, cols, [&](const auto& put) {
    for (Index line = 0; line < lines; ++line)
      for (Index e = starts[line]; e < starts[line + 1]; ++e)
        is_by_columns ? put(indices[e], line, values[e]) : put(line, indices[e], values[e]);
  });
}

template <class T>
DenseTable<T> read_values(const Hdf5Object& dataset, const std::vector<Index>& shape) {
  return {.rows = shape[0], .cols = shape[1], .values = dataset.numbers<Buffer<T>>()};
}

}  // namespace

OwnedTable read_hdf5_sparse(const Hdf5File& file, const Hdf5Object& group, Index rows, Index cols,
                            bool is_by_columns, bool is_trusted) {
  if (rows < 1 || cols < 1) group.refuse(fmt::format("of {} x {} is empty", rows, cols));
  const Index most = most_sparse_lines(file.size(), is_trusted);
  if (rows > most || cols > most)
    throw DataError(fmt::format("{}: makes a table of {} x {} out of {} bytes", file.path(), rows,
                                cols, file.size()),
                    {Remedy::Action::trust_file});
  if (is_single(part_of(file, group, "data")))
    return read_parts<float>(file, group, rows, cols, is_by_columns);
  return read_parts<double>(file, group, rows, cols, is_by_columns);
}

OwnedTable read_hdf5_dense(const Hdf5Object& dataset) {
  const std::vector<Index> shape = dataset.shape().value_or(std::vector<Index>{});
  if (shape.size() != 2)
    dataset.refuse(fmt::format("has {} dimensions; a table has two", shape.size()));
  if (shape[0] == 0 || shape[1] == 0)
    dataset.refuse(fmt::format("of {} x {} is empty", shape[0], shape[1]));
  if (is_single(dataset)) return read_values<float>(dataset, shape);
  return read_values<double>(dataset, shape);
}

}  // namespace tamis
