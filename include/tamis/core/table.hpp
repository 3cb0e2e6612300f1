#pragma once

#include <concepts>
#include <variant>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// A dense table that owns its values, row-major.
template <std::floating_point T>
struct DenseTable {
  Index rows = 0;
  Index cols = 0;
  Buffer<T> values = {};
  Index padding = 0;  ///< values after those of each row, which mean nothing
  Index stride() const { return cols + padding; }
  DenseView<T> view() const { return {values.data(), rows, cols, stride()}; }
};

/// A sparse table that owns its values; columns ascend strictly within a row.
template <std::floating_point T>
struct CsrTable {
  Index cols = 0;
  std::vector<Index> offsets = {0};
  std::vector<ColumnIndex> columns = {};
  std::vector<T> values = {};
  CsrView<T> view() const { return {offsets, columns, values, cols}; }
};

/// Any of the four tables, owned. Moving it keeps its views valid.
using OwnedTable =
    std::variant<DenseTable<double>, DenseTable<float>, CsrTable<double>, CsrTable<float>>;

MatrixView view_of(const OwnedTable& table);

/// The given rows and columns (ascending, each once) of a table, in the same storage.
OwnedTable gathered(const MatrixView& x, std::span<const Index> rows,
                    std::span<const Index> columns);

/// Puts rows of a table of the same storage and width behind those of another.
void append_rows(OwnedTable& table, const MatrixView& x, std::span<const Index> rows);

/// Gives the memory of rows begin .. end - 1 back, as far as the table lets go of it by rows: what
/// they hold afterwards is undefined.
void forget_rows(OwnedTable& table, Index begin, Index end);

/// A table without rows in the storage of another one, as wide as that.
OwnedTable empty_like(const MatrixView& x);

}  // namespace tamis
