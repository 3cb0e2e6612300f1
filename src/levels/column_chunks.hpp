#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

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
/// Rows of a sparse table are taken by so many, as long as they hold no more than so many full
/// ones.
inline constexpr Index kSparseRows = 512;
/// What a value takes as one of a sparse column.
inline constexpr Index kSparseBytes = Index{sizeof(double) + sizeof(std::int32_t)};

/// Some rows of a column.
struct ColumnValues {
  Index rows = 0;
  std::span<const double> values = {};        ///< of all rows, or of some: the others are 0
  std::span<const std::int32_t> places = {};  ///< of these among the rows, ascending; else empty

  Index zeros() const { return rows - std::ssize(values); }
};

/// Some columns of a table, which someone else owns.
template <class T>
DenseView<T> columns_of(const DenseView<T>& x, const ColumnPart& columns) {
  if (x.rows() == 0) return DenseView<T>(nullptr, 0, columns.count());  // it may be nowhere
  const Index stride = x.rows() > 1 ? x.row(1) - x.row(0) : x.cols();
  return DenseView<T>(x.row(0) + columns.first, x.rows(), columns.count(), stride);
}

/// Rows from .. from + count - 1 likewise.
template <class T>
DenseView<T> rows_of(const DenseView<T>& x, Index from, Index count) {
  const Index stride = x.rows() > 1 ? x.row(1) - x.row(0) : x.cols();
  return DenseView<T>(x.row(from), count, x.cols(), stride);
}

/// Rows of a chunk that begins at one.
template <class T>
Index chunk_rows(const DenseView<T>& x, Index from) {
  return std::min(kChunkRows, x.rows() - from);
}
template <class T>
Index chunk_rows(const CsrView<T>& x, Index from) {
  Index count = 0;
  Index held = 0;
  const Index most = std::min(kChunkRows, x.rows() - from);
  while (count < most) {
    const Index next = std::min(count + kSparseRows, most);
    for (Index i = from + count; i < from + next; ++i) held += std::ssize(x.row_columns(i));
    if (count > 0 && held > kSparseRows * x.cols()) break;
    count = next;
  }
  return count;
}

/// Calls visit(first row, rows) on chunks that together are all rows of a table.
template <class View, class Visit>
void for_each_row_chunk(const View& x, const Visit& visit) {
  for (Index from = 0, count = 0; from < x.rows(); from += count) {
    count = chunk_rows(x, from);
    visit(from, count);
  }
}

/// Some columns of a few rows of a sparse table, column by column.
class SparseColumns {
 public:
  template <class T>
  SparseColumns(const CsrView<T>& x, Index from, Index rows, const ColumnPart& columns)
      : rows_(rows), begin_(columns.count() + 1, 0) {
    const auto visit = [&](const auto& take) {
      for (Index i = 0; i < rows; ++i) {
        const auto entries = x.row_columns(from + i);
        const auto values = x.row_values(from + i);
        Index e = std::ranges::lower_bound(entries, columns.first) - entries.begin();
        for (; e < std::ssize(entries) && entries[e] < columns.end; ++e)
          take(i, entries[e] - columns.first, values[e]);
      }
    };
    visit([&](Index, Index r, T) { ++begin_[r + 1]; });
    for (Index r = 0; r < columns.count(); ++r) begin_[r + 1] += begin_[r];
    values_.resize(begin_.back());
    places_.resize(begin_.back());
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    visit([&](Index i, Index r, T value) {
      values_[next[r]] = static_cast<double>(value);
      places_[next[r]++] = static_cast<std::int32_t>(i);
    });
  }

  ColumnValues column(Index r) const {
    const auto count = static_cast<std::size_t>(begin_[r + 1] - begin_[r]);
    return {rows_, {values_.data() + begin_[r], count}, {places_.data() + begin_[r], count}};
  }

 private:
  Index rows_;
  std::vector<Index> begin_;
  Buffer<double> values_;
  Buffer<std::int32_t> places_;
};

template <class T>
void transpose_chunk(const DenseView<T>& x, Index from, Index count, Index first, Index width,
                     double* out) {
  for (Index i = 0; i < count; ++i) {
    const T* const row = x.row(from + i) + first;
    for (Index r = 0; r < width; ++r) out[r * kChunkStride + i] = static_cast<double>(row[r]);
  }
}

/// What for_each_column_chunk does, of one kind of table.
template <class T, class MakeScratch, class Visit>
void for_each_chunk_of(const DenseView<T>& x, const ColumnPart& columns,
                       const MakeScratch& make_scratch, const Visit& visit) {
  using Scratch = decltype(make_scratch());
  struct Room {
    Scratch scratch;
    Buffer<double> values;
  };
  const auto make_room = [&] {
    return Room{make_scratch(), Buffer<double>(kChunkColumns * kChunkStride)};
  };
  const DenseView<T> part = columns_of(x, columns);
  parallel_for_with(part.cols(), kChunkColumns, make_room, [&](Room& room, Index begin, Index end) {
    for (Index from = 0; from < part.rows(); from += kChunkRows) {
      const Index count = chunk_rows(part, from);
      transpose_chunk(part, from, count, begin, end - begin, room.values.data());
      for (Index r = begin; r < end; ++r) {
        const double* const values = &room.values[(r - begin) * kChunkStride];
        visit(room.scratch, r, ColumnValues{count, {values, static_cast<std::size_t>(count)}});
      }
    }
  });
}

/// The same of the rows of one chunk.
template <class T, class MakeScratch, class Visit>
void for_each_column_of(const DenseView<T>& x, Index from, Index rows, const ColumnPart& columns,
                        const MakeScratch& make_scratch, const Visit& visit) {
  for_each_chunk_of(rows_of(x, from, rows), columns, make_scratch, visit);
}
template <class T, class MakeScratch, class Visit>
void for_each_column_of(const CsrView<T>& x, Index from, Index rows, const ColumnPart& columns,
                        const MakeScratch& make_scratch, const Visit& visit) {
  using Scratch = decltype(make_scratch());
  const SparseColumns sparse(x, from, rows, columns);
  parallel_for_with(columns.count(), kChunkColumns, make_scratch,
                    [&](Scratch& scratch, Index begin, Index end) {
                      for (Index r = begin; r < end; ++r) visit(scratch, r, sparse.column(r));
                    });
}

template <class T, class MakeScratch, class Visit>
void for_each_chunk_of(const CsrView<T>& x, const ColumnPart& columns,
                       const MakeScratch& make_scratch, const Visit& visit) {
  for_each_row_chunk(x, [&](Index from, Index rows) {
    for_each_column_of(x, from, rows, columns, make_scratch, visit);
  });
}

/// Calls visit(scratch, column, values) on chunks of at most kChunkRows rows that together are some
/// columns of the block, which are counted from the first of these, several of them at once; of
/// each column from the first row to the last.
template <class MakeScratch, class Visit>
void for_each_column_chunk(const MatrixView& block, const ColumnPart& columns,
                           const MakeScratch& make_scratch, const Visit& visit) {
  block.visit([&](const auto& view) { for_each_chunk_of(view, columns, make_scratch, visit); });
}

}  // namespace tamis
