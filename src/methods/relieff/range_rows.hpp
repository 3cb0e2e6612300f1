#pragma once

#include <span>
#include <vector>

#include "prepare/scale.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Some rows of a table, each column divided by its range over all rows of the table, so that no
/// difference exceeds 1; constant columns are 0. Rows are numbered by their place among the given
/// ones. Nothing is held but ranges: values are scaled a few columns at a time.
class RangeRows {
 public:
  RangeRows(const MatrixView& x, std::vector<Index> rows);

  Index rows() const { return std::ssize(rows_); }

  /// sum_j |z_ij - z_qj| of rows i = begin .. end - 1 and all rows q, (end - begin) x rows().
  /// Equal for dense and sparse tables, (i, q) and (q, i), and any number of threads.
  std::vector<double> distances(Index begin, Index end) const;

  struct Partner {
    Index row;
    double weight;
  };
  /// sums[j] += weight |z_ij - z_qj| over the partners q of rows i = first, first + 1, ...
  void add_differences(Index first, std::span<const std::vector<Partner>> partners,
                       std::span<double> sums) const;

 private:
  void copy(Index begin, Index end, Index first_column, Index width, double* out) const;

  MatrixView x_;
  std::vector<Index> rows_;
  Scaling scaling_;
};

}  // namespace tamis
