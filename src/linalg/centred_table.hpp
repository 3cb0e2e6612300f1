#pragma once

#include <span>
#include <vector>

#include "linalg/row_vectors.hpp"
#include "linalg/sparse_products.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// X_c: a table whose columns are shifted to mean 0, or by a given mean, while it is multiplied
/// with; no copy is made. Dense tables are shifted block by block, so that a large offset costs no
/// digits. Sparse ones stay sparse: the mean's part is taken off the products of stored entries. It
/// cancels no digits, since a column with few entries has a small mean (mean^2 is at most the share
/// of its entries times its mean square); the few tables for which that does not hold are shifted
/// like dense ones. All products are in double, with the same bits for any number of threads.
class CentredTable {
 public:
  explicit CentredTable(const MatrixView& x);
  CentredTable(const MatrixView& x, std::vector<double> mean);

  Index rows() const { return x_.rows(); }
  Index cols() const { return x_.cols(); }
  Index size(Side side) const { return side == Side::rows ? rows() : cols(); }
  const std::vector<double>& mean() const { return mean_; }

  /// Lower triangle of X_c X_c' (rows) or of X_c'X_c (columns).
  Buffer<double> products(Side side, const Progress& progress) const;

  /// Lower triangle of Y Y' where Y = W X_c (rows) or W X_c' (columns): the products of what
  /// `count` combinations of rows or columns, the rows of `weights`, are. From Y itself, so small
  /// ones keep their digits.
  Buffer<double> products_of(Side side, std::span<const double> weights, Index count) const;

  /// X_c b, of all rows or of the given ones; b has a row per column.
  RowVectors times(const RowVectors& b) const;
  RowVectors times(std::span<const Index> rows, const RowVectors& b) const;
  /// X_c'v; v has a row per row.
  RowVectors transposed_times(const RowVectors& v) const;

 private:
  double shift(Index column) const { return rest_.empty() ? 0.0 : rest_[column]; }
  void take_off_mean(Side side, Buffer<double>& products) const;
  void copy_block(std::span<const Index> rows, Index first, Index width, double* out) const;
  void copy_panel(Side side, Index first, Index count, double* out) const;

  MatrixView x_;
  std::vector<double> mean_;
  std::vector<double> rest_;     // of the mean, that its rounding leaves
  std::vector<Index> all_rows_;  // 0, 1, ...
  bool stays_sparse_ = false;
};

}  // namespace tamis
