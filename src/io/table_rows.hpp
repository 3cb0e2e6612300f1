#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tamis/io/table.hpp"

namespace tamis {

/// Gathers chosen columns of any table row by row, dense.
template <std::floating_point T>
class RowGatherer {
 public:
  RowGatherer(DenseView<T> view, std::span<const Index> columns)
      : view_(view), columns_(columns), row_(columns.size()) {}

  std::span<const T> row(Index i) {
    for (Index r = 0; r < std::ssize(columns_); ++r) row_[r] = view_(i, columns_[r]);
    return row_;
  }

 private:
  DenseView<T> view_;
  std::span<const Index> columns_;
  std::vector<T> row_;
};

/// The same of a sparse table: scatters a row, gathers, and cleans up after itself.
template <std::floating_point T>
class SparseRowGatherer {
 public:
  SparseRowGatherer(CsrView<T> view, std::span<const Index> columns)
      : view_(view),
        columns_(columns),
        full_(static_cast<std::size_t>(view.cols())),
        row_(columns.size()) {}

  std::span<const T> row(Index i) {
    const auto stored = view_.row_columns(i);
    for (Index e = 0; e < std::ssize(stored); ++e) full_[stored[e]] = view_.row_values(i)[e];
    for (Index r = 0; r < std::ssize(columns_); ++r) row_[r] = full_[columns_[r]];
    for (const Index c : stored) full_[c] = T{0};
    return row_;
  }

 private:
  CsrView<T> view_;
  std::span<const Index> columns_;
  std::vector<T> full_;
  std::vector<T> row_;
};

template <std::floating_point T>
RowGatherer<T> gather_rows(DenseView<T> view, std::span<const Index> columns) {
  return {view, columns};
}
template <std::floating_point T>
SparseRowGatherer<T> gather_rows(CsrView<T> view, std::span<const Index> columns) {
  return {view, columns};
}

}  // namespace tamis
