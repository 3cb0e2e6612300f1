#include "core/gather_source.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "core/transpose.hpp"
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

/// Rows that are gathered together: one, or some that follow each other in the table.
struct RowStep {
  Index row;
  Index count;
};

/// The rows in steps of 1 or `side`.
std::vector<RowStep> steps_of(std::span<const Index> rows, Index side) {
  std::vector<RowStep> steps;
  for (std::size_t s = 0; s < rows.size();) {
    const Index most = std::min(side, static_cast<Index>(rows.size() - s));
    Index count = 1;
    while (count < most && rows[s + count] == rows[s] + count) ++count;
    if (count < side) count = 1;
    steps.push_back({rows[s], count});
    s += count;
  }
  return steps;
}

/// Writes the rows of `side` columns, or of one, to `out`, whose rows lie `stride` apart. Squares
/// are transposed in registers.
template <Index width, Index side, class Cpu, class T>
TAMIS_INLINE void put_side_by_side(const T* const* columns, std::span<const RowStep> steps, T* out,
                                   Index stride) {
  for (const auto [row, count] : steps) {
    if constexpr (width == side) {
      if (count == side) {
        typename Lanes<T, side, Cpu>::Vector square[side];
#pragma GCC unroll 16
        for (Index c = 0; c < side; ++c)
          std::memcpy(&square[c], columns[c] + row, sizeof square[c]);
        transpose_square(square);
#pragma GCC unroll 16
        for (Index i = 0; i < side; ++i)
          std::memcpy(out + i * stride, &square[i], sizeof square[i]);
        out += side * stride;
        continue;
      }
    }
    for (Index i = 0; i < count; ++i, out += stride) {
      typename Lanes<T, width, Cpu>::Vector values{};
#pragma GCC unroll 16
      for (Index c = 0; c < width; ++c) values[c] = columns[c][row + i];
      std::memcpy(out, &values, sizeof values);
    }
  }
}

/// Fetches some columns into the second cache, all of each: most rows are wanted.
template <class T>
void fetch(std::span<const T* const> columns, Index n_rows) {
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  for (const T* const column : columns)
    for (Index i = 0; i < n_rows; i += kLanes<T>)
      __builtin_prefetch(column + i, kForReading, kSecondCache);
}

template <class T>
DenseTable<T> gather(const Buffer<T>& values, Index n_rows, std::span<const Index> rows,
                     std::span<const Index> columns) {
  DenseTable<T> table{.rows = std::ssize(rows), .cols = std::ssize(columns)};
  table.padding = (kLanes<T> - table.cols % kLanes<T>) % kLanes<T>;  // rows begin a cache line
  table.values.resize(table.rows * table.stride());
  std::vector<const T*> from;
  for (const Index column : columns) from.push_back(values.data() + column * n_rows);
  for_this_cpu([&from, n_rows, rows, out = table.values.data(), cols = table.cols,
                stride = table.stride()](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kSide = kRegisterLanes<T, Cpu>;
    const std::vector<RowStep> steps = steps_of(rows, kSide);
    Index c = 0;
    for (; c + kSide <= cols; c += kSide) {
      const std::span<const T* const> to_come = std::span(from).subspan(c + kSide);
      fetch(to_come.first(std::min<std::size_t>(kSide, to_come.size())), n_rows);
      put_side_by_side<kSide, kSide, Cpu>(&from[c], steps, out + c, stride);
    }
    for (; c < cols; ++c) put_side_by_side<1, kSide, Cpu>(&from[c], steps, out + c, stride);
  });
  return table;
}

/// Whether a copy is small, and saves more than it takes to make.
template <class T>
bool deserves_copy(const DenseView<T>& x, Index columns, Index times) {
  constexpr Index kLeastUses = 3;  // of each column
  return columns * kLanes<T> <= x.cols() && columns * times >= kLeastUses * x.cols() &&
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
