#pragma once

#include <algorithm>
#include <span>

#include "levels/column_part.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {

/// Columns that are read together: a cache line of floats.
inline constexpr Index kChunkColumns = 16;
/// Rows of a column that are visited at once: what is known of a column, some hundred kilobytes,
/// comes from memory for each chunk anew.
inline constexpr Index kChunkRows = 4096;
/// How far columns of a chunk are apart: not by a power of two, which would crowd them into few
/// lines of a cache.
inline constexpr Index kChunkStride = kChunkRows + 8;
/// Rows of a sparse table that are made dense at once.
inline constexpr Index kDenseRows = 512;

/// Some columns of a table, which someone else owns.
template <class T>
DenseView<T> columns_of(const DenseView<T>& x, const ColumnPart& columns) {
  const Index stride = x.rows() > 1 ? x.row(1) - x.row(0) : x.cols();
  return DenseView<T>(x.row(0) + columns.first, x.rows(), columns.count(), stride);
}

/// Calls visit(dense view, place of its first row) on parts that together are those columns of the
/// block.
template <class T, class Visit>
void for_each_dense_part(const DenseView<T>& block, const ColumnPart& columns, const Visit& visit) {
  visit(columns_of(block, columns), Index{0});
}

template <class T, class Visit>
void for_each_dense_part(const CsrView<T>& block, const ColumnPart& columns, const Visit& visit) {
  Buffer<T> values(std::min(kDenseRows, block.rows()) * columns.count());
  for (Index from = 0; from < block.rows(); from += kDenseRows) {
    const Index count = std::min(kDenseRows, block.rows() - from);
    std::ranges::fill(values, T{0});
    for (Index i = 0; i < count; ++i) {
      const auto entries = block.row_columns(from + i);
      const auto begin = std::ranges::lower_bound(entries, columns.first);
      for (auto e = begin; e != entries.end() && *e < columns.end; ++e)
        values[i * columns.count() + *e - columns.first] =
            block.row_values(from + i)[e - entries.begin()];
    }
    visit(DenseView<T>(values.data(), count, columns.count()), from);
  }
}

template <class T>
void transpose_chunk(const DenseView<T>& x, Index from, Index count, Index first, Index width,
                     double* out) {
  for (Index i = 0; i < count; ++i) {
    const T* const row = x.row(from + i) + first;
    for (Index r = 0; r < width; ++r) out[r * kChunkStride + i] = static_cast<double>(row[r]);
  }
}

/// Calls visit(scratch, column, place of the first row, values) on chunks that together are some
/// columns of the block, which are counted from the first of these, several of them at once; of
/// each column from the first row to the last.
template <class MakeScratch, class Visit>
void for_each_column_chunk(const MatrixView& block, const ColumnPart& columns,
                           const MakeScratch& make_scratch, const Visit& visit) {
  using Scratch = decltype(make_scratch());
  struct Room {
    Scratch scratch;
    Buffer<double> values;
  };
  block.visit([&](const auto& view) {
    for_each_dense_part(view, columns, [&](const auto& part, Index first_row) {
      parallel_for_with(
          part.cols(), kChunkColumns,
          [&] {
            return Room{make_scratch(), Buffer<double>(kChunkColumns * kChunkStride)};
          },
          [&](Room& room, Index begin, Index end) {
            for (Index from = 0; from < part.rows(); from += kChunkRows) {
              const Index count = std::min(kChunkRows, part.rows() - from);
              transpose_chunk(part, from, count, begin, end - begin, room.values.data());
              for (Index r = begin; r < end; ++r)
                visit(room.scratch, r, first_row + from,
                      std::span<const double>(&room.values[(r - begin) * kChunkStride],
                                              static_cast<std::size_t>(count)));
            }
          });
    });
  });
}

}  // namespace tamis
