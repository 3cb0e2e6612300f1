#pragma once

#include <concepts>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// A row-major table that someone else owns. Row i starts at data + i * stride.
template <std::floating_point T>
class DenseView {
 public:
  using value_type = T;

  DenseView(const T* data, Index rows, Index cols) : DenseView(data, rows, cols, cols) {}
  DenseView(const T* data, Index rows, Index cols, Index stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const T* row(Index i) const { return data_ + i * stride_; }
  T operator()(Index i, Index r) const { return row(i)[r]; }

 private:
  const T* data_;
  Index rows_;
  Index cols_;
  Index stride_;
};

/// A compressed-sparse-row table that someone else owns: the non-zeros of row i are the entries
/// offsets[i] .. offsets[i + 1] - 1 of columns (strictly ascending within a row) and values.
template <std::floating_point T>
class CsrView {
 public:
  using value_type = T;

  CsrView(std::span<const Index> offsets, std::span<const ColumnIndex> columns,
          std::span<const T> values, Index cols)
      : offsets_(offsets), columns_(columns), values_(values), cols_(cols) {}

  Index rows() const { return std::ssize(offsets_) - 1; }
  Index cols() const { return cols_; }
  Index non_zeros() const { return offsets_.back(); }
  std::span<const ColumnIndex> row_columns(Index i) const { return slice(columns_, i); }
  std::span<const T> row_values(Index i) const { return slice(values_, i); }

 private:
  template <class U>
  std::span<U> slice(std::span<U> all, Index i) const {
    return all.subspan(static_cast<std::size_t>(offsets_[i]),
                       static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
  }

  std::span<const Index> offsets_;
  std::span<const ColumnIndex> columns_;
  std::span<const T> values_;
  Index cols_;
};

/// Any of the four tables the library computes on. Copying it copies no data.
class MatrixView {
 public:
  using Storage =
      std::variant<DenseView<double>, DenseView<float>, CsrView<double>, CsrView<float>>;

  template <class View>
  requires std::constructible_from<Storage, View> MatrixView(View view)
      : storage_(view) {}  // NOLINT: a view of one kind is a view of any kind

  /// Calls f with the DenseView or CsrView inside.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), storage_);
  }

  Index rows() const;
  Index cols() const;
  bool is_sparse() const { return storage_.index() >= 2; }
  bool is_single() const { return storage_.index() % 2 == 1; }

 private:
  Storage storage_;
};

/// Weighted mean and weighted sum of squared deviations of each column.
struct ColumnMoments {
  double total_weight = 0.0;
  std::vector<double> mean = {};
  std::vector<double> squares = {};  ///< sum_i v_i (x_ir - mean_r)^2
};

/// Moments over the given rows, row rows[s] with weight weights[s]; sums in double, two passes, so
/// that a large offset costs no digits. Deterministic for any number of threads.
ColumnMoments weighted_moments(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> weights);

/// The same over all rows, each with weight 1.
ColumnMoments moments(const MatrixView& x);
/// Their means alone.
std::vector<double> column_means(const MatrixView& x);

/// Whether a column takes two different values among the given rows: exact, no tolerance.
std::vector<bool> varying_columns(const MatrixView& x, std::span<const Index> rows);
std::vector<bool> varying_columns(const MatrixView& x);

/// Copies columns first .. first + width - 1 of the given rows into out, row-major (rows x width).
template <std::floating_point T>
void copy_columns(const MatrixView& x, std::span<const Index> rows, Index first, Index width,
                  T* out);

/// The squared Euclidean distance of two rows, summed in double over a fixed set of lanes (column
/// r in lane r mod 32): equal for dense and sparse storage, for (i, j) and (j, i), and on every
/// machine; exact when the values are integers of moderate size.
double squared_distance(const MatrixView& x, Index i, Index j);

/// The same of a row and a point, summed in the same lanes.
double squared_distance(const MatrixView& x, Index i, std::span<const double> point);

/// The squared Euclidean norm, summed in double in those lanes.
double squared_norm(std::span<const float> values);

/// sums[r] += weight * x_ir
void add_row(const MatrixView& x, Index i, double weight, std::span<double> sums);

/// 0, 1, ..., n - 1.
std::vector<Index> all_indices(Index n);

}  // namespace tamis
