#include "core/gather_source.hpp"

#include <algorithm>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns that are turned or put beside each other at once: two cache lines of doubles.
constexpr Index kColumnsAtOnce = 16;

/// The values column by column.
template <class T>
Buffer<T> turned(const DenseView<T>& x) {
  Buffer<T> values(x.rows() * x.cols());
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    for (Index i = 0; i < x.rows(); ++i)
      for (Index c = begin; c < end; ++c) values[c * x.rows() + i] = x.row(i)[c];
  });
  return values;
}

/// Writes the given rows of some columns to `out`, whose rows lie `stride` apart.
template <Index width, class T>
void put_side_by_side(const T* values, Index n_rows, std::span<const Index> rows,
                      const Index* columns, T* out, Index stride) {
  const T* from[width];
  for (Index c = 0; c < width; ++c) from[c] = values + columns[c] * n_rows;
  for (const Index row : rows) {
    for (Index c = 0; c < width; ++c) out[c] = from[c][row];
    out += stride;
  }
}

template <class T>
DenseTable<T> gather(const Buffer<T>& values, Index n_rows, std::span<const Index> rows,
                     std::span<const Index> columns) {
  constexpr Index kWidth = 8;
  const Index cols = std::ssize(columns);
  DenseTable<T> table{.rows = std::ssize(rows), .cols = cols};
  table.values.resize(rows.size() * columns.size());
  Index c = 0;
  for (; c + kWidth <= cols; c += kWidth)
    put_side_by_side<kWidth>(values.data(), n_rows, rows, &columns[c], &table.values[c], cols);
  for (; c < cols; ++c)
    put_side_by_side<1>(values.data(), n_rows, rows, &columns[c], &table.values[c], cols);
  return table;
}

/// Whether a copy is small, and saves more than it takes to make.
template <class T>
bool deserves_copy(const DenseView<T>& x, Index columns, Index times) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  constexpr Index kLeastUses = 3;  // of each column
  return columns * kLine <= x.cols() && columns * times >= kLeastUses * x.cols() &&
         x.rows() * x.cols() * static_cast<Index>(sizeof(T)) <= GatherSource::kLargestCopy;
}

template <class T>
void keep_copy(const DenseView<T>& x, Index columns, Index times, auto& copy) {
  if (deserves_copy(x, columns, times)) copy = turned(x);
}
template <class T>
void keep_copy(const CsrView<T>&, Index, Index, auto&) {}

}  // namespace

GatherSource::GatherSource(const MatrixView& x, Index columns, Index times) : x_(x) {
  x.visit([&](const auto& view) { keep_copy(view, columns, times, turned_); });
}

OwnedTable GatherSource::gathered(std::span<const Index> rows,
                                  std::span<const Index> columns) const {
  if (const auto* const doubles = std::get_if<Buffer<double>>(&turned_); doubles != nullptr)
    return gather(*doubles, x_.rows(), rows, columns);
  if (const auto* const floats = std::get_if<Buffer<float>>(&turned_); floats != nullptr)
    return gather(*floats, x_.rows(), rows, columns);
  return tamis::gathered(x_, rows, columns);
}

}  // namespace tamis
